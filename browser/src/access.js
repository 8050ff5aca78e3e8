// 用 axe-core 检查眼前这一页；arguments[0] 是要看的主题，第一种用全部规则，其余只用看颜色的；
// arguments[1] 为假时先把正文拿开，只留标题。
const still = new CSSStyleSheet();
still.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important; }');
document.adoptedStyleSheets = [still];
const main = document.querySelector('main');
if (!arguments[1]) main.replaceChildren(main.querySelector('h1'));
for (const details of document.querySelectorAll('details')) details.open = true;
const faults = [];
let checked = 0;
for (const [i, theme] of arguments[0].entries()) {
  document.getElementById('mdbook-theme-' + theme)?.click();
  if (!document.documentElement.classList.contains(theme)) faults.push(`${theme}：换不过去`);
  const options = { resultTypes: ['violations'] };
  if (i > 0) options.runOnly = ['color-contrast', 'link-in-text-block'];
  const result = await axe.run(document, options);
  checked += result.passes.length + result.violations.length;
  for (const { id, nodes } of result.violations) {
    for (const node of nodes.slice(0, 5)) {
      faults.push(`${theme}：${id} ${node.target.join(' ')} ${node.html.slice(0, 120)} ${node.any[0]?.message ?? ''}`);
    }
  }
}
return [checked, faults];
