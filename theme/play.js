// 三张能动的图：指南针、编码探查、核的探查。没有脚本时，静态的图照样完整。
'use strict';
(() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const COLORS = ['#3b82c4', '#c2622d', '#2f9167'];

  // 与 listings/src/frequency.rs 同一条公式。
  const frequencies = (width, base) => Array.from({ length: width / 2 }, (_, i) => base ** (-2 * i / width));

  const make = (tag, attributes = {}, ...children) => {
    const svg = ['svg', 'line', 'circle', 'polyline', 'path', 'text', 'rect', 'g'].includes(tag);
    const element = svg ? document.createElementNS(SVG, tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };

  // 固定位数，没有负零。
  const fixed = (value, digits) => {
    const text = value.toFixed(digits);
    return /^-0\.?0*$/.test(text) ? text.slice(1) : text;
  };

  let counter = 0;

  // 一个滑块或一个下拉框；返回读数的函数和设数的函数。
  const slider = (panel, name, min, max, value, change) => {
    counter += 1;
    const input = make('input', { type: 'range', id: 'play-' + counter, min, max, step: 1, value, 'data-name': name });
    const shown = make('output', { for: input.id });
    const show = () => { shown.textContent = input.value; };
    input.addEventListener('input', () => { show(); change(); });
    panel.append(make('div', { class: 'play-row' }, make('label', { for: input.id }, name), input, shown));
    show();
    return {
      get value() { return Number(input.value); },
      set value(next) { input.value = next; show(); },
      set max(next) { input.max = next; show(); },
    };
  };

  const choice = (panel, name, values, value, change) => {
    counter += 1;
    const select = make('select', { id: 'play-' + counter, 'data-name': name },
      ...values.map((item) => make('option', item === value ? { value: item, selected: '' } : { value: item }, String(item))));
    select.addEventListener('change', change);
    panel.append(make('div', { class: 'play-row' }, make('label', { for: select.id }, name), select));
    return {
      get value() { return Number(select.value); },
      fill(items) {
        const kept = Number(select.value);
        select.replaceChildren(...items.map((item) => make('option', { value: item }, String(item))));
        select.value = items.includes(kept) ? kept : items[0];
      },
    };
  };

  // 一排读数：名字、显示的文字、完整的值（data-value）。
  const readings = (panel, names) => {
    const box = make('dl', { class: 'play-values', 'aria-live': 'polite' });
    const cells = names.map((name) => {
      const value = make('dd', { 'data-name': name });
      box.append(make('div', {}, make('dt', {}, name), value));
      return value;
    });
    panel.append(box);
    return (values) => values.forEach(([value, text], i) => {
      cells[i].dataset.value = String(value);
      cells[i].textContent = text;
    });
  };

  const panelFor = (id, title) => {
    const figure = document.getElementById(id);
    if (!figure) return null;
    const panel = make('section', { class: 'play', 'aria-label': title });
    panel.append(make('p', { class: 'play-title' }, title));
    figure.append(panel);
    return panel;
  };

  // 一、两只指南针：查询在 m，键在 n，一对分量。
  const compass = () => {
    const panel = panelFor('fig_rotary_turn', '动手转：两只指南针');
    if (!panel) return;
    const theta = frequencies(8, 10000);
    const start = [0.3, 1.1];
    const svg = make('svg', { viewBox: '0 0 240 200', class: 'play-picture', 'aria-hidden': 'true' });
    svg.append(make('circle', { cx: 120, cy: 100, r: 84, fill: 'none', stroke: 'currentColor' }));
    const needles = COLORS.slice(0, 2).map((color, i) => {
      const line = make('line', { x1: 120, y1: 100, stroke: color, 'stroke-width': 4, 'stroke-dasharray': i ? '7 4' : 'none' });
      const name = make('text', { 'font-size': 15, 'text-anchor': 'middle', fill: 'currentColor' }, i ? 'k' : 'q');
      svg.append(line, name);
      return (angle) => {
        line.setAttribute('x2', 120 + 78 * Math.cos(angle));
        line.setAttribute('y2', 100 - 78 * Math.sin(angle));
        name.setAttribute('x', 120 + 94 * Math.cos(angle));
        name.setAttribute('y', 105 - 92 * Math.sin(angle));
      };
    });
    panel.append(svg);
    let show = () => {};
    const m = slider(panel, '查询的位置 m', 0, 100, 3, () => update());
    const n = slider(panel, '键的位置 n', 0, 100, 5, () => update());
    const pair = slider(panel, '第几对（快到慢）', 0, theta.length - 1, 0, () => update());
    const both = make('div', { class: 'play-row' });
    for (const [words, step] of [['一起退一步', -1], ['一起进一步', 1]]) {
      const button = make('button', { type: 'button' }, words);
      button.addEventListener('click', () => {
        if (Math.min(m.value, n.value) + step < 0 || Math.max(m.value, n.value) + step > 100) return;
        m.value += step;
        n.value += step;
        update();
      });
      both.append(button);
    }
    panel.append(both);
    show = readings(panel, ['查询转到（弧度）', '键转到（弧度）', '偏移 n − m', '分数 cos(夹角)']);
    const update = () => {
      const rate = theta[pair.value];
      const q = start[0] + m.value * rate;
      const k = start[1] + n.value * rate;
      const score = Math.cos(start[1] - start[0] + (n.value - m.value) * rate);
      needles[0](q);
      needles[1](k);
      show([[q, fixed(q, 4)], [k, fixed(k, 4)], [n.value - m.value, String(n.value - m.value)], [score, fixed(score, 4)]]);
    };
    update();
  };

  // 二、编码探查：一格一格看正弦位置编码。
  const explorer = () => {
    const panel = panelFor('fig_sinusoidal_heatmap', '动手查：一格一格看编码');
    if (!panel) return;
    const rows = 48;
    const canvas = make('canvas', { class: 'play-picture', width: 384, height: 288, tabindex: 0, role: 'img', 'aria-label': '位置编码的热图，方向键移动，读数在下面' });
    panel.append(canvas);
    const width = choice(panel, '宽度 d', [8, 16, 32, 64, 128], 32, () => resize());
    const base = choice(panel, '基数 b', [100, 10000, 500000, 1000000], 10000, () => update());
    const position = slider(panel, '位置 n', 0, rows - 1, 5, () => update());
    const column = slider(panel, '列', 0, 31, 2, () => update());
    const show = readings(panel, ['第几对', '波长（位置）', '值']);
    const context = canvas.getContext('2d');
    const value = (theta, n, j) => (j % 2 ? Math.cos : Math.sin)(n * theta[Math.floor(j / 2)]);
    const update = () => {
      const d = width.value;
      const theta = frequencies(d, base.value);
      const cell = [canvas.width / d, canvas.height / rows];
      for (let n = 0; n < rows; n += 1) {
        for (let j = 0; j < d; j += 1) {
          const v = value(theta, n, j);
          context.fillStyle = v < 0 ? `rgba(59,130,196,${-v})` : `rgba(194,98,45,${v})`;
          context.clearRect(j * cell[0], n * cell[1], cell[0], cell[1]);
          context.fillRect(j * cell[0], n * cell[1], cell[0], cell[1]);
        }
      }
      context.strokeStyle = getComputedStyle(panel).color;
      context.lineWidth = 2;
      context.strokeRect(column.value * cell[0], position.value * cell[1], cell[0], cell[1]);
      const pair = Math.floor(column.value / 2);
      const wave = 2 * Math.PI / theta[pair];
      const here = value(theta, position.value, column.value);
      show([[pair, String(pair)], [wave, wave < 1e6 ? fixed(wave, 2) : wave.toExponential(4)], [here, fixed(here, 4)]]);
    };
    const resize = () => {
      column.max = width.value - 1;
      update();
    };
    const point = (event) => {
      const box = canvas.getBoundingClientRect();
      const clamp = (x, max) => Math.max(0, Math.min(max, Math.floor(x)));
      column.value = clamp((event.clientX - box.left) / box.width * width.value, width.value - 1);
      position.value = clamp((event.clientY - box.top) / box.height * rows, rows - 1);
      update();
    };
    canvas.addEventListener('pointermove', point);
    canvas.addEventListener('pointerdown', point);
    canvas.addEventListener('keydown', (event) => {
      const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] || [0, 0];
      if (!dx && !dy) return;
      event.preventDefault();
      event.stopPropagation();
      column.value += dx;
      position.value += dy;
      update();
    });
    update();
  };

  // 三、核的探查：看它在哪里回升，在哪里第一次变负。
  const kernel = () => {
    const panel = panelFor('fig_sinusoidal_kernel', '动手看：核在哪里回升');
    if (!panel) return;
    const svg = make('svg', { viewBox: '0 0 360 180', class: 'play-picture', 'aria-hidden': 'true' });
    const axis = make('line', { x1: 10, x2: 350, stroke: 'currentColor' });
    const curve = make('polyline', { fill: 'none', stroke: COLORS[0], 'stroke-width': 1.5 });
    const rises = make('path', { fill: 'none', stroke: COLORS[1], 'stroke-width': 3 });
    const cursor = make('line', { y1: 8, y2: 172, stroke: 'currentColor', 'stroke-dasharray': '3 3' });
    svg.append(axis, curve, rises, cursor);
    panel.append(svg, make('p', { class: 'play-note' }, '细线是核除以对数；粗线是回升的步。'));
    const width = choice(panel, '宽度 d', [16, 32, 64, 128, 256, 512], 128, () => update());
    const base = choice(panel, '基数 b', [100, 1000, 10000, 500000, 1000000], 10000, () => update());
    const range = choice(panel, '看到多远', [64, 256, 1024, 4096], 256, () => { offset.max = range.value; update(); });
    const offset = slider(panel, '偏移 Δ', 0, 256, 12, () => mark());
    const show = readings(panel, ['核 g(Δ)', '除以对数', '第一次回升到', '第一次为负']);
    let values = [];
    const first = (test) => {
      const at = values.findIndex((_, i) => i > 0 && test(i));
      return at < 0 ? ['', '这一段里没有'] : [at, String(at)];
    };
    const update = () => {
      const theta = frequencies(width.value, base.value);
      values = Array.from({ length: range.value + 1 }, (_, delta) => theta.reduce((sum, rate) => sum + Math.cos(delta * rate), 0));
      const place = (i) => [10 + 340 * i / range.value, 172 - 164 * (values[i] / theta.length + 0.5) / 1.5];
      const zero = 172 - 164 * 0.5 / 1.5;
      axis.setAttribute('y1', zero);
      axis.setAttribute('y2', zero);
      const text = (i) => place(i).map((x) => x.toFixed(1)).join(' ');
      curve.setAttribute('points', values.map((_, i) => text(i)).join(' '));
      rises.setAttribute('d', values.map((v, i) => (i && v > values[i - 1] ? `M${text(i - 1)}L${text(i)}` : '')).join(''));
      mark();
    };
    const mark = () => {
      const delta = Math.min(offset.value, range.value);
      const x = 10 + 340 * delta / range.value;
      cursor.setAttribute('x1', x);
      cursor.setAttribute('x2', x);
      const g = values[delta];
      show([[g, fixed(g, 4)], [2 * g / width.value, fixed(2 * g / width.value, 4)], first((i) => values[i] > values[i - 1]), first((i) => values[i] < 0)]);
    };
    update();
  };

  compass();
  explorer();
  kernel();
})();
