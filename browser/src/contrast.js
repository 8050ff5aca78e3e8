// 五种主题里，文字与背景的对比不到 4.5（大字 3），图里的线不到 3 的地方。
// 图里的字按页面的底色算；图里涂色的面不算线。
const faults = new Set();
const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
const known = new Map();
const rgba = (color) => {
  if (!known.has(color)) {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    known.set(color, [r, g, b, a / 255]);
  }
  return known.get(color);
};
const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
const light = (color) => color.slice(0, 3).map((v) => v / 255)
  .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const contrast = (a, b) => {
  const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
};
const ground = (element) => {
  const layers = [];
  for (let e = element; e; e = e.parentElement) {
    const color = rgba(getComputedStyle(e).backgroundColor);
    if (color[3] > 0) layers.push(color);
    if (color[3] === 1) break;
  }
  return layers.reduceRight((below, color) => over(color, below), [255, 255, 255, 1]);
};
const alpha = (element) => {
  let all = 1;
  for (let e = element; e; e = e.parentElement) all *= parseFloat(getComputedStyle(e).opacity);
  return all;
};
const html = document.documentElement;
const before = html.className;
for (const details of document.querySelectorAll('details')) details.open = true;
for (const sheet of ['highlight', 'tomorrow-night', 'ayu-highlight']) {
  document.getElementById('mdbook-' + sheet + '-css')?.setAttribute('data-sheet', sheet);
}
let checked = 0;
for (const theme of ['light', 'rust', 'coal', 'navy', 'ayu']) {
  html.classList.remove('light', 'rust', 'coal', 'navy', 'ayu');
  html.classList.add(theme);
  const code = { ayu: 'ayu-highlight', coal: 'tomorrow-night', navy: 'tomorrow-night' }[theme] ?? 'highlight';
  for (const link of document.querySelectorAll('[data-sheet]')) link.disabled = link.dataset.sheet !== code;
  const grounds = new Map();
  const behind = (e) => {
    if (!grounds.has(e)) grounds.set(e, ground(e));
    return grounds.get(e);
  };
  const judge = (element, color, strength, limit, what) => {
    const base = behind(element);
    const [r, g, b, a] = rgba(color);
    const ratio = contrast(over([r, g, b, a * strength], base), base);
    checked += 1;
    if (ratio < limit) faults.add(`${theme}：${what} ${color} 对比 ${ratio.toFixed(2)}`);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.replace(/\u200b/g, '').trim() || element.closest('script, style, template, title, desc, .katex-mathml')) continue;
    const style = getComputedStyle(element);
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    const size = parseFloat(style.fontSize);
    const big = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const drawn = element.closest('svg') !== null;
    judge(element, drawn ? style.fill : style.color, alpha(element), big ? 3 : 4.5,
      `${element.tagName.toLowerCase()}.${element.className?.baseVal ?? element.className}“${node.data.trim().slice(0, 12)}”`);
  }
  for (const element of document.querySelectorAll('figure svg :is(line, path, polyline, circle, rect, ellipse)')) {
    const style = getComputedStyle(element);
    if (style.stroke === 'none' || !element.checkVisibility()) continue;
    judge(element, style.stroke, alpha(element) * style.strokeOpacity, 3, `${element.closest('figure').id} 的 ${element.tagName}`);
  }
}
html.className = before;
return [checked, [...faults]];
