// 用 axe-core 检查眼前这一页的一种主题：arguments[0] 是主题；arguments[1] 是不是全部规则，
// 还是只用看颜色的，或者只用不看颜色的；arguments[2] 为真时先把正文拿开，只留标题。
const [theme, rules, empty] = arguments;
if (!document.adoptedStyleSheets.length) {
  const still = new CSSStyleSheet();
  still.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important; }');
  document.adoptedStyleSheets = [still];
}
const main = document.querySelector('main');
if (empty) main.replaceChildren(main.querySelector('h1'));
for (const details of document.querySelectorAll('details')) details.open = true;
const faults = [];
document.getElementById('mdbook-theme-' + theme)?.click();
if (!document.documentElement.classList.contains(theme)) faults.push('换不过去');
const color = ['color-contrast', 'link-in-text-block'];
const options = { resultTypes: ['violations'] };
if (rules === 'color') options.runOnly = color;
if (rules === 'rest') options.rules = Object.fromEntries(color.map((id) => [id, { enabled: false }]));
const result = await axe.run(document, options);
for (const { id, nodes } of result.violations) {
  for (const node of nodes.slice(0, 5)) {
    faults.push(`${id} ${node.target.join(' ')} ${node.html.slice(0, 120)} ${node.any[0]?.message ?? ''}`);
  }
}
return [result.passes.length + result.violations.length, faults];
