// 一页上每条公式的每个零件：文字、线、图；位置先相对整页，再相对公式。
function parts() {
  const found = [];
  document.querySelectorAll('.katex').forEach((formula, index) => {
    const origin = formula.getBoundingClientRect();
    const add = (kind, label, rect) => found.push({
      formula: index,
      kind,
      label,
      numbers: [
        rect.left + scrollX, rect.top + scrollY, rect.width, rect.height,
        rect.left - origin.left, rect.top - origin.top,
      ],
    });
    for (const html of formula.querySelectorAll('.katex-html')) {
      const walker = document.createTreeWalker(html, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node.nodeType === Node.TEXT_NODE) {
          const style = getComputedStyle(node.parentElement);
          const font = [style.fontFamily.split(',')[0], style.fontStyle, style.fontWeight, style.color];
          const range = document.createRange();
          range.selectNodeContents(node);
          for (const rect of range.getClientRects()) {
            add('字', node.data.trim() + ' ' + font.join(' '), rect);
          }
        } else if (node instanceof SVGElement) {
          if (node.tagName === 'svg') {
            add('图', getComputedStyle(node).fill, node.getBoundingClientRect());
            add('框', getComputedStyle(node.parentElement).overflow, node.parentElement.getBoundingClientRect());
          }
        } else {
          const style = getComputedStyle(node);
          const sides = ['Top', 'Right', 'Bottom', 'Left'].filter(
            (side) => style[`border${side}Style`] !== 'none' && parseFloat(style[`border${side}Width`]) > 0);
          if (sides.length) {
            const lines = sides.map((side) =>
              [side, style[`border${side}Style`], style[`border${side}Width`], style[`border${side}Color`]].join(' '));
            add('线', lines.join(', '), node.getBoundingClientRect());
          }
        }
      }
    }
  });
  return found;
}

// 两份零件之间最大的差别，像素；种类、文字、字体或数目不同则是无穷。
function distance(a, b) {
  if (a.length !== b.length) return Infinity;
  let worst = 0;
  for (let i = 0; i < a.length; i++) {
    if (a[i].kind !== b[i].kind || a[i].label !== b[i].label) return Infinity;
    for (let j = 0; j < a[i].numbers.length; j++) {
      worst = Math.max(worst, Math.abs(a[i].numbers[j] - b[i].numbers[j]));
    }
  }
  return worst;
}

async function settle() {
  document.documentElement.offsetHeight;
  await document.fonts.ready;
  await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)));
}

// 句末的公式照书里的规矩断行（见 book.css），官方样式没有这一条：比较时两边都不用它。
function plainEnds() {
  // 手机上换成深色，颜色没有跟着变的零件就看得出来。
  if (innerWidth < 600) document.documentElement.classList.replace('light', 'navy');
  const style = document.createElement('style');
  style.textContent = '.content .katex .base:last-child { display: inline-block !important; }';
  document.head.append(style);
}

const ours = () => document.querySelector('link[href*="theme/katex"]');

// 换成官方的样式与字体。
async function official(href) {
  const fonts = document.querySelector('link[href*="fonts/fonts"]');
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  const loaded = new Promise((done, failed) => { link.onload = done; link.onerror = failed; });
  ours().after(link);
  await loaded;
  ours().disabled = true;
  if (fonts) fonts.disabled = true;
  await settle();
}
