// 把页上能做的事做一遍；返回各做了几次：搜索、换主题、复制、能动的图、公式。
const $ = (id) => document.getElementById('mdbook-' + id);
const tick = () => new Promise((r) => setTimeout(r));
const wait = async (test) => {
  for (let i = 0; i < 100 && !test(); i++) await new Promise((r) => setTimeout(r, 50));
  return Number(Boolean(test()));
};
let themes = 0;
for (const theme of ['light', 'rust', 'coal', 'navy', 'ayu']) {
  $('theme-toggle').click();
  $('theme-' + theme).click();
  $('theme-toggle').click();
  themes += Number(document.documentElement.classList.contains(theme));
}
(document.getElementById('sidebar-button') ?? $('sidebar-toggle')).click();

// 复制。
let copied = 0;
for (const button of document.querySelectorAll('button.clip-button, button.clipboard')) {
  if (location.pathname.endsWith('print.html') && copied > 2) break;
  button.click();
  await tick();
  copied += 1;
}

// 能动的图：每个控件都动一动。
let moved = 0;
const fire = async (element, event) => {
  element.dispatchEvent(event);
  moved += 1;
  await tick();
};
const change = { bubbles: true };
for (const input of document.querySelectorAll('main input')) {
  for (const value of [input.min, input.max]) {
    input.value = value;
    await fire(input, new Event('input', change));
    await fire(input, new Event('change', change));
  }
}
for (const select of document.querySelectorAll('main select')) {
  for (const option of select.options) {
    select.value = option.value;
    await fire(select, new Event('input', change));
    await fire(select, new Event('change', change));
  }
}
for (const button of document.querySelectorAll('main .play button')) await fire(button, new MouseEvent('click', change));
for (const picture of document.querySelectorAll('main :is(canvas, svg, figure) , main [tabindex]')) {
  const at = picture.getBoundingClientRect();
  const place = { ...change, clientX: at.left + at.width / 3, clientY: at.top + at.height / 3, pointerId: 1 };
  for (const kind of ['pointerdown', 'pointermove', 'pointerup']) await fire(picture, new PointerEvent(kind, place));
  await fire(picture, new MouseEvent('mousemove', place));
  for (const key of ['ArrowUp', 'ArrowDown', 'Home', 'End']) await fire(picture, new KeyboardEvent('keydown', { ...change, key }));
}
for (const box of document.querySelectorAll('details')) box.open = true;
for (const term of [...document.querySelectorAll('main a[title], main abbr, main dfn, main button')].slice(0, 20)) {
  term.focus();
  await fire(term, new PointerEvent('pointerenter', change));
}

// 帮助，再搜索。
document.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }));
await tick();
document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
$('search-toggle').click();
const bar = $('searchbar');
bar.value = '位置';
bar.dispatchEvent(new Event('input', { bubbles: true }));
const searched = await wait(() => document.querySelectorAll('#mdbook-searchresults li').length > 5);
return [searched, themes, copied, moved, document.querySelectorAll('.katex').length];
