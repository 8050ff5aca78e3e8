// 版面上的毛病，一条一句；arguments[0] 是打开时的宽度。
const faults = [];
const width = document.documentElement.clientWidth;
const asked = arguments[0];
const name = (e) => e.tagName.toLowerCase() + (e.id ? '#' + e.id : '') +
  [...e.classList].map((c) => '.' + c).join('') + '“' + e.textContent.trim().slice(0, 30) + '”';
const scrolls = (e) => /^(auto|scroll)$/.test(getComputedStyle(e).overflowX);

// 整页不能左右滚动，也不能有看不到的右边。
if (innerWidth > asked) faults.push(`页宽：视口被撑到 ${innerWidth}`);
for (const e of [document.scrollingElement, document.body, document.querySelector('.content')]) {
  if (e && e.scrollWidth > e.clientWidth) faults.push(`页宽：${e.tagName} ${e.scrollWidth} > ${e.clientWidth}`);
}
for (const e of document.querySelectorAll('main *')) {
  if (e.closest('.katex-mathml') || e.closest('svg') !== null && e.tagName !== 'svg') continue;
  const rect = e.getBoundingClientRect();
  if (rect.width === 0 || rect.right <= width + 0.5) continue;
  let box = e;
  while (box && !box.matches('main') && !scrolls(box) && getComputedStyle(box).overflowX !== 'hidden') box = box.parentElement;
  if (!box || box.matches('main')) faults.push(`页宽：${name(e)} 右边到 ${rect.right.toFixed(1)}`);
}

// 单独成行的公式要么放得下，要么自己能滚动；上下不能被切掉。
for (const e of document.querySelectorAll('.katex-display')) {
  if (e.scrollWidth > e.clientWidth && !scrolls(e)) faults.push(`公式：${name(e)} 放不下又不能滚动`);
  if (getComputedStyle(e).overflowY !== 'visible' && e.scrollHeight > e.clientHeight) {
    faults.push(`公式：${name(e)} 上下切掉 ${e.scrollHeight - e.clientHeight}`);
  }
}
for (const e of document.querySelectorAll('main pre, main table')) {
  let box = e.matches('pre') ? e.querySelector('code') || e : e.parentElement;
  if (box.scrollWidth > box.clientWidth && !scrolls(box)) faults.push(`滚动：${name(e)} 放不下又不能滚动`);
}

// 给读屏软件的 MathML 在页面里，但看不见。
for (const e of document.querySelectorAll('.katex')) {
  const math = e.querySelector('.katex-mathml');
  if (!math || !math.querySelector('math')) { faults.push(`MathML：${name(e)} 没有`); continue; }
  const style = getComputedStyle(math);
  const rect = math.getBoundingClientRect();
  if (style.position !== 'absolute' || style.overflow !== 'hidden' || rect.width > 1 || rect.height > 1) {
    faults.push(`MathML：${name(e)} 看得见 ${rect.width} × ${rect.height}`);
  }
  if (style.display === 'none' || style.visibility === 'hidden') faults.push(`MathML：${name(e)} 读屏软件读不到`);
}

// 公式的字体都读得到；其余的是读者系统里的，可以没有。
for (const font of document.fonts) {
  if (font.status === 'error' && font.family.startsWith('KaTeX')) faults.push(`字体：${font.family} 读不到`);
}
return faults;
