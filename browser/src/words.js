// 界面上的英文词，一处一条。界面是 main 之外的一切，加上 main 里的按钮与提示框；
// 给读屏软件听的四种属性，全页都看。arguments[0]：专名与键名。
const names = new RegExp(`(?<![A-Za-z])(?:${arguments[0].join('|')})(?![A-Za-z])`, 'g');
const found = [];
const judge = (where, text) => {
  if (/[A-Za-z]{3}/.test((text || '').replace(names, ''))) found.push(`${where}：${text.trim().slice(0, 60)}`);
};
const name = (e) => e.tagName.toLowerCase() + (e.id ? '#' + e.id : '');
const words = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
while (words.nextNode()) {
  const box = words.currentNode.parentElement;
  if (box.closest('script, style, template, noscript, #mdbook-searchresults')) continue;
  if (box.closest('main') && !box.closest('button, select, label, output, .blockquote-tag, .play, [role]:not(.katex *, svg, svg *)')) continue;
  judge(name(box), words.currentNode.data);
}
for (const e of document.querySelectorAll('[title], [aria-label], [placeholder], [alt]')) {
  for (const key of ['title', 'aria-label', 'placeholder', 'alt']) judge(`${name(e)} 的 ${key}`, e.getAttribute(key));
}
return found;
