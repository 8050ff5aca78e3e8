// 排字上的毛病，一条一句。
const faults = [];
const main = document.querySelector('main');

// 代码里一个汉字占两格。
const code = document.querySelector('main pre > code');
if (code) {
  const wide = (text) => {
    const box = document.createElement('span');
    box.textContent = text;
    code.append(box);
    const { width } = box.getBoundingClientRect();
    box.remove();
    return width;
  };
  const ratio = wide('位置编码，自注意力') / wide('abcdefgh0123456789');
  if (Math.abs(ratio - 1) > 0.01) faults.push(`代码：九个汉字与十八个字母的宽度之比 ${ratio.toFixed(3)}`);
}

// 正文一行不太长，行距够大。
for (const p of main.querySelectorAll('p')) {
  if (!p.checkVisibility() || p.closest('.play, [role=tooltip]')) continue;
  const style = getComputedStyle(p);
  const size = parseFloat(style.fontSize);
  const characters = p.clientWidth / size;
  if (size < 15) faults.push(`字：${size} 像素`);
  if (characters > 46) faults.push(`行长：${characters.toFixed(1)} 个字`);
  if (parseFloat(style.lineHeight) < 1.6 * size) faults.push(`行距：${style.lineHeight}`);
}

// 数与名字里的短横之后不换行。
const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const node = texts.currentNode;
  if (node.parentElement.closest('pre, svg, .katex')) continue;
  for (const hit of node.data.matchAll(/[\w.]+-\d[\w.]*/g)) {
    const range = document.createRange();
    range.setStart(node, hit.index);
    range.setEnd(node, hit.index + hit[0].length);
    const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
    if (lines.size > 1) faults.push(`断行：${hit[0]}`);
  }
}
return faults;
