// 印在纸上会丢掉的东西：没有展开的答案，放不下的公式、代码与表；也不印屏幕上的影子。
const faults = [];
// 屏幕上放不下的代码都带着 tabindex，印的时候也还在。
document.querySelectorAll('main pre > code').forEach((code) => { code.tabIndex = 0; });
const name = (e) => e.tagName.toLowerCase() + '“' + e.textContent.trim().slice(0, 30) + '”';
const width = document.documentElement.clientWidth;
for (const e of document.querySelectorAll('details > :not(summary)')) {
  if (!e.checkVisibility({ contentVisibilityAuto: true })) faults.push(`答案：${name(e)} 没有展开`);
}
for (const e of document.querySelectorAll('main .katex-display, main pre > code, main .table-wrapper, main figure')) {
  let right = 0;
  for (const part of [e, ...e.querySelectorAll('.base, table, svg, span')]) {
    if (part.closest('.katex-mathml') || part.closest('svg') && part.tagName !== 'svg') continue;
    if (part.closest('.hide-tail, .stretchy') && !part.matches('.hide-tail, .stretchy')) continue;
    right = Math.max(right, part.getBoundingClientRect().right);
  }
  if (getComputedStyle(e).backgroundImage !== 'none') faults.push(`底色：${name(e)}`);
  if (right > width + 0.5) faults.push(`切掉：${name(e)} 右边到 ${right.toFixed(1)}`);
}
return faults;
