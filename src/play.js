// 三张能动的图：两只指南针、编码探查、核的探查。
// 只有带着这些图的页才取这个文件（见 theme/tips.js）；没有脚本时，静态的图照样完整。
'use strict';
(() => {
  const BLUE = '#3b82c4';
  const ORANGE = '#c2622d';

  // 与 listings/src/frequency.rs 同一条公式。
  const frequencies = (width, base) => Array.from({ length: width / 2 }, (_, i) => base ** (-2 * i / width));

  const fill = (element, attributes, children) => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  const make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
  const draw = (tag, attributes = {}, ...children) =>
    fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
  const clamp = (x, low, high) => Math.max(low, Math.min(high, x));

  // 固定位数，没有负零。
  const fixed = (value, digits) => {
    const text = value.toFixed(digits);
    return /^-0\.?0*$/.test(text) ? text.slice(1) : text;
  };

  // 手指划过图是要滚动页面：浏览器接手滚动时，划过所改的退回去。
  const undoable = (element, read, write) => {
    let before;
    element.addEventListener('pointerdown', () => { before = read(); }, true);
    element.addEventListener('pointercancel', () => write(before));
  };

  let counter = 0;
  const row = (panel, name, control, ...around) => {
    counter += 1;
    control.id = 'play-' + counter;
    control.dataset.name = name;
    panel.append(make('div', { class: 'play-row' }, make('label', { for: control.id }, name), ...around));
  };

  // 滑块，两头各有一个只动一格的按钮。
  const slider = (panel, name, max, value, change) => {
    const input = make('input', { type: 'range', min: 0, max, step: 1, value });
    const shown = make('output');
    const set = (next) => {
      input.value = next;
      shown.textContent = input.value;
    };
    const step = (sign, words, delta) => {
      const button = make('button', { type: 'button', 'aria-label': name + words }, sign);
      button.addEventListener('click', () => { set(Number(input.value) + delta); change(); });
      return button;
    };
    input.addEventListener('input', () => { set(input.value); change(); });
    undoable(input, () => input.value, (before) => { set(before); change(); });
    row(panel, name, input, step('−', '，减一', -1), input, step('+', '，加一', 1), shown);
    shown.htmlFor = input.id;
    set(value);
    return {
      get value() { return Number(input.value); },
      set value(next) { set(next); },
      get max() { return Number(input.max); },
      set max(next) { input.max = next; set(input.value); },
    };
  };

  const choice = (panel, name, values, value, change, word = String) => {
    const options = values.map((item) => make('option', item === value ? { value: item, selected: '' } : { value: item }, word(item)));
    const select = make('select', {}, ...options);
    select.addEventListener('change', change);
    row(panel, name, select, select);
    return { get value() { return Number(select.value); } };
  };

  // 一排读数：显示的是舍入，完整的值在 data-value 里。
  const readings = (panel, names) => {
    const box = make('dl', { class: 'play-values', 'aria-live': 'polite', 'aria-atomic': 'true' });
    const cells = names.map((name) => {
      const cell = make('dd', { 'data-name': name });
      box.append(make('div', {}, make('dt', {}, name), cell));
      return cell;
    });
    panel.append(box);
    return (...values) => values.forEach(([value, text], i) => {
      cells[i].dataset.value = String(value);
      cells[i].textContent = text;
    });
  };

  const panelFor = (id, title, note) => {
    const figure = document.getElementById(id);
    if (!figure) return null;
    const panel = make('section', { class: 'play', 'aria-label': title });
    panel.append(make('p', { class: 'play-title' }, title), make('p', {}, note));
    // 方向键在这里动图，不翻页。
    panel.addEventListener('keydown', (event) => {
      if (event.key.startsWith('Arrow')) event.stopPropagation();
    });
    figure.append(panel);
    return panel;
  };

  // 一、两只指南针：查询在 m，键在 n，一对分量。
  const compass = () => {
    const start = [0.1, 0.75];
    const panel = panelFor('fig_rotary_turn', '动手转：两只指南针',
      `两针都长一。虚线是转之前，方向是 ${start.join(' 与 ')} 弧度。右边的细线是查询的方向，圆弧是两针的夹角。`);
    if (!panel) return;
    const theta = frequencies(8, 10000);
    const centers = [[90, 82], [270, 82]];
    const svg = draw('svg', { viewBox: '0 0 360 174', class: 'play-picture', 'aria-hidden': 'true' });
    const at = ([x, y], radius, angle) => [x + radius * Math.cos(angle), y - radius * Math.sin(angle)];
    const needle = (center, attributes) => {
      const line = draw('line', { x1: center[0], y1: center[1], ...attributes });
      svg.append(line);
      return (angle, length) => {
        const [x, y] = at(center, length, angle);
        line.setAttribute('x2', x);
        line.setAttribute('y2', y);
      };
    };
    for (const [x, y] of centers) svg.append(draw('circle', { cx: x, cy: y, r: 70, fill: 'none', stroke: 'currentColor' }));
    const arc = draw('polyline', { fill: 'none', stroke: 'currentColor' });
    svg.append(arc);
    const other = needle(centers[1], { stroke: BLUE, 'stroke-width': 1.5 });
    const parts = [BLUE, ORANGE].map((color, i) => {
      needle(centers[i], { stroke: color, 'stroke-width': 1.5, 'stroke-dasharray': '3 4' })(start[i], 66);
      const words = draw('text', { x: centers[i][0], y: 170, 'font-size': 13, 'text-anchor': 'middle', fill: 'currentColor' });
      const turn = needle(centers[i], { stroke: color, 'stroke-width': 4.5 });
      const head = draw('circle', { r: 5, fill: color });
      svg.append(words, head);
      return (angle, text) => {
        turn(angle, 62);
        const [x, y] = at(centers[i], 62, angle);
        head.setAttribute('cx', x);
        head.setAttribute('cy', y);
        words.textContent = text;
      };
    });
    panel.append(svg);
    const update = () => {
      const rate = theta[pair.value];
      const angles = [start[0] + m.value * rate, start[1] + n.value * rate];
      const between = angles[1] - angles[0];
      // 两个转过的单位向量的点积，不用夹角算。
      const score = Math.cos(angles[0]) * Math.cos(angles[1]) + Math.sin(angles[0]) * Math.sin(angles[1]);
      parts[0](angles[0], `查询 q 在 ${m.value}`);
      parts[1](angles[1], `键 k 在 ${n.value}`);
      other(angles[0], 66);
      const sweep = Math.atan2(Math.sin(between), Math.cos(between));
      arc.setAttribute('points', Array.from({ length: 31 }, (_, i) => at(centers[1], 26, angles[0] + sweep * i / 30)).join(' '));
      const offset = n.value - m.value;
      show(...[...angles, sweep].map((angle) => [angle, fixed(angle, 4)]), [offset, String(offset)], [score, fixed(score, 4)]);
    };
    const m = slider(panel, '查询的位置 m', 100, 1, () => update());
    const n = slider(panel, '键的位置 n', 100, 3, () => update());
    const names = ['最快', '快', '慢', '最慢'];
    const pair = choice(panel, '转哪一对', [0, 1, 2, 3], 0, () => update(), (i) => `第 ${i} 对（${names[i]}）`);
    const both = make('div', { class: 'play-row', role: 'group', 'aria-label': '两针一起走' }, make('span', {}, '一起'));
    for (const [words, step] of [['退十步', -10], ['退一步', -1], ['进一步', 1], ['进十步', 10]]) {
      const button = make('button', { type: 'button' }, words);
      button.addEventListener('click', () => {
        const room = clamp(step, -Math.min(m.value, n.value), m.max - Math.max(m.value, n.value));
        m.value += room;
        n.value += room;
        update();
      });
      both.append(button);
    }
    panel.append(both);
    const show = readings(panel, ['查询的方向（弧度）', '键的方向（弧度）', '夹角（弧度）', '偏移 n − m', '这一对的分数']);
    update();
  };

  // 二、编码探查：一格一格看正弦位置编码。
  const explorer = () => {
    const panel = panelFor('fig_sinusoidal_heatmap', '动手查：一格一格看编码',
      '横轴是列，纵轴是位置，从上往下数。橙色为正，蓝色为负，越浓离零越远。点一格，拖滑块，或用方向键走。');
    if (!panel) return;
    const rows = 48;
    const canvas = make('canvas', { width: 768, height: 480 });
    const box = make('span', { class: 'play-cell' });
    const map = make('div', { class: 'play-picture play-map', tabindex: 0, role: 'application', 'aria-label': '位置编码的热图，方向键移动，读数在下面' }, canvas, box);
    panel.append(map);
    const value = (n, j) => (j % 2 ? Math.cos : Math.sin)(n * theta[j >> 1]);
    let theta = [];
    const paint = () => {
      theta = frequencies(width.value, base.value);
      column.max = width.value - 1;
      const context = canvas.getContext('2d');
      const [w, h] = [canvas.width / width.value, canvas.height / rows];
      context.clearRect(0, 0, canvas.width, canvas.height);
      for (let n = 0; n < rows; n += 1) {
        for (let j = 0; j < width.value; j += 1) {
          const v = value(n, j);
          context.fillStyle = v < 0 ? BLUE : ORANGE;
          context.globalAlpha = Math.abs(v);
          context.fillRect(j * w, n * h, w, h);
        }
      }
      update();
    };
    const update = () => {
      const [n, j, d] = [position.value, column.value, width.value];
      Object.assign(box.style, {
        left: 100 * j / d + '%', top: 100 * n / rows + '%', width: 100 / d + '%', height: 100 / rows + '%',
      });
      const wave = 2 * Math.PI / theta[j >> 1];
      const here = value(n, j);
      show([j >> 1, `${j >> 1}（${j % 2 ? '余弦' : '正弦'}）`], [wave, fixed(wave, wave < 1e5 ? 2 : 0)], [here, fixed(here, 4)]);
    };
    const position = slider(panel, '位置 n', rows - 1, 5, () => update());
    const column = slider(panel, '列', 31, 2, () => update());
    const width = choice(panel, '宽度 d', [8, 16, 32, 64, 128], 32, () => paint());
    const base = choice(panel, '基数 b', [100, 10000, 500000, 1000000], 10000, () => paint());
    const show = readings(panel, ['第几对', '波长（位置）', '值']);
    const point = (event) => {
      const frame = map.getBoundingClientRect();
      const cell = (x, count) => clamp(Math.floor(x * count), 0, count - 1);
      column.value = cell((event.clientX - frame.left) / frame.width, width.value);
      position.value = cell((event.clientY - frame.top) / frame.height, rows);
      update();
    };
    undoable(map, () => [column.value, position.value], (before) => {
      [column.value, position.value] = before;
      update();
    });
    map.addEventListener('pointermove', point);
    map.addEventListener('pointerdown', point);
    map.addEventListener('keydown', (event) => {
      const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!move) return;
      event.preventDefault();
      column.value += move[0];
      position.value += move[1];
      update();
    });
    paint();
  };

  // 三、核的探查：看它在哪里回升，在哪里第一次变负。
  const kernel = () => {
    const panel = panelFor('fig_sinusoidal_kernel', '动手看：核在哪里回升',
      '细线是核除以它在零处的值，粗的地方是变大的步，横线是零。点图上一处，或拖动滑块。');
    if (!panel) return;
    const [left, right, top, bottom] = [34, 350, 10, 164];
    const svg = draw('svg', { viewBox: '0 0 360 204', class: 'play-picture', 'aria-hidden': 'true' });
    const height = (y) => bottom - (bottom - top) * (y + 0.8) / 1.8;
    const label = (x, y, anchor, words) => {
      const text = draw('text', { x, y, 'font-size': 12, 'text-anchor': anchor, fill: 'currentColor' }, words);
      svg.append(text);
      return text;
    };
    for (const y of [1, 0, -0.5]) label(left - 6, height(y) + 4, 'end', String(y).replace('-', '−'));
    label(left, bottom + 18, 'middle', '0');
    const end = label(right, bottom + 18, 'end', '');
    label((left + right) / 2, bottom + 34, 'middle', '偏移 Δ（位置）');
    const curve = draw('polyline', { fill: 'none', stroke: BLUE, 'stroke-width': 1.4 });
    const rises = draw('path', { fill: 'none', stroke: ORANGE, 'stroke-width': 3.4 });
    const cursor = draw('line', { y1: top, y2: bottom, stroke: 'currentColor', 'stroke-dasharray': '3 3' });
    svg.append(
      draw('path', { fill: 'none', stroke: 'currentColor', d: `M${left} ${top}V${bottom}M${left} ${height(0)}H${right}` }),
      curve, rises, cursor);
    panel.append(svg);
    let values = [];
    let facts = [];
    const update = () => {
      const theta = frequencies(width.value, base.value);
      const far = range.value;
      values = Array.from({ length: far + 1 }, (_, delta) => theta.reduce((sum, rate) => sum + Math.cos(delta * rate), 0));
      const places = values.map((g, i) => `${(left + (right - left) * i / far).toFixed(2)} ${height(g / theta.length).toFixed(2)}`);
      const up = (i) => values[i + 1] > values[i];
      const first = (test, words) => {
        const i = values.findIndex((_, index) => test(index));
        return i < 0 ? ['', '这一段里没有'] : [i, words(i)];
      };
      curve.setAttribute('points', places.join(' '));
      rises.setAttribute('d', places.slice(1).map((place, i) => (up(i) ? `M${places[i]}L${place}` : '')).join(''));
      end.textContent = far;
      const count = values.filter((_, i) => up(i)).length;
      facts = [
        first(up, (i) => `从 ${i} 到 ${i + 1}`),
        [count, `${count}，共 ${far} 步`],
        first((i) => values[i] < 0, (i) => `在 ${i}`),
      ];
      offset.max = far;
      mark();
    };
    const mark = () => {
      const x = left + (right - left) * offset.value / range.value;
      cursor.setAttribute('x1', x);
      cursor.setAttribute('x2', x);
      const g = values[offset.value];
      const share = g / values[0];
      show([g, fixed(g, 4)], [share, fixed(share, 4)], ...facts);
    };
    const offset = slider(panel, '偏移 Δ', 160, 12, () => mark());
    const width = choice(panel, '宽度 d', [16, 32, 64, 128, 256, 512], 128, () => update());
    const base = choice(panel, '基数 b', [100, 1000, 10000, 500000, 1000000], 10000, () => update());
    const range = choice(panel, '看到多远', [40, 160, 640, 4096], 160, () => update());
    const show = readings(panel, ['核 g(Δ)', 'g(Δ) ÷ g(0)', '第一次回升', '回升的步', '第一次为负']);
    const point = (event) => {
      if (event.type === 'pointermove' && !event.buttons) return;
      const frame = svg.getBoundingClientRect();
      const x = (event.clientX - frame.left) / frame.width * 360;
      offset.value = Math.round(clamp((x - left) / (right - left), 0, 1) * range.value);
      mark();
    };
    undoable(svg, () => offset.value, (before) => {
      offset.value = before;
      mark();
    });
    svg.addEventListener('pointerdown', point);
    svg.addEventListener('pointermove', point);
    update();
  };

  compass();
  explorer();
  kernel();
})();
