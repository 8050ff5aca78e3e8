// 单词的意思：指到、聚焦或点一下就显示。也在这里按页取用得着的脚本。
'use strict';
(() => {
  const main = document.querySelector('main');
  if (!main || /\/print\.html$/.test(location.pathname)) return;
  const load = (name, then) => {
    const script = document.createElement('script');
    script.src = path_to_root + name;
    if (then) script.addEventListener('load', then);
    document.head.append(script);
  };

  // 能动的图：只有带着这些图的页才取。
  if (document.querySelector('#fig_rotary_turn, #fig_sinusoidal_heatmap, #fig_sinusoidal_kernel')) load('play.js');

  // 单词汇总自己和生成的断言清单不用提示。
  if (/\/(glossary|ledger(\/\w+)?)\.html$/.test(location.pathname)) return;

  const LINK = 'a[href*="glossary.html#glossary-"]';
  const idOf = (link) => link.hash.slice('#glossary-'.length);
  const words = new Map();

  // 页里没有链接的单词，第一次出现的地方补上链接；标题、代码、公式、图、折叠块里的不算。
  const mark = () => {
    const linked = new Set(Array.from(main.querySelectorAll(LINK), idOf));
    const find = new Map();
    for (const [id, [word, , , anywhere]] of words) if (anywhere) find.set(word, id);
    const longest = [...find.keys()].sort((a, b) => b.length - a.length);
    const pattern = new RegExp(longest.join('|'), 'g');
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
      if (node.nodeType === Node.TEXT_NODE) return NodeFilter.FILTER_ACCEPT;
      const skip = node.matches('a, h1, h2, h3, h4, h5, h6, pre, code, kbd, svg, button, details, .katex, .play');
      return skip ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
    });
    const found = [];
    while (walker.nextNode()) {
      for (const hit of walker.currentNode.data.matchAll(pattern)) {
        const id = find.get(hit[0]);
        if (linked.has(id)) continue;
        linked.add(id);
        found.push([walker.currentNode, hit.index, hit[0], id]);
      }
    }
    // 从后往前改，前面的位置就不会动。
    for (const [node, index, word, id] of found.reverse()) {
      const link = document.createElement('a');
      link.href = path_to_root + 'glossary.html#glossary-' + id;
      link.className = 'word';
      link.textContent = word;
      const rest = node.splitText(index);
      rest.deleteData(0, word.length);
      rest.before(link);
    }
  };

  const start = () => {
    for (const [id, ...entry] of window.glossaryWords) words.set(id, entry);
    mark();
    const tip = document.createElement('div');
    tip.id = 'tip';
    tip.setAttribute('role', 'tooltip');
    tip.hidden = true;
    main.append(tip);
    let owner = null;
    let timer = 0;

    const hide = () => {
      clearTimeout(timer);
      if (owner) owner.removeAttribute('aria-describedby');
      owner = null;
      tip.hidden = true;
    };
    const show = (link, more = '') => {
      clearTimeout(timer);
      if (owner === link && !more) return;
      hide();
      const entry = words.get(idOf(link));
      if (!entry) return;
      owner = link;
      const name = document.createElement('b');
      name.textContent = entry[0];
      tip.replaceChildren(name, `（${entry[1]}）：${entry[2]}${more}`);
      tip.hidden = false;
      link.setAttribute('aria-describedby', tip.id);
      // 放在单词下面；下面放不下就放上面，左右不出正文。
      const frame = main.getBoundingClientRect();
      const box = link.getClientRects()[0];
      const below = box.bottom + tip.offsetHeight + 8 < innerHeight || box.top < tip.offsetHeight + 60;
      tip.style.top = (below ? box.bottom + 4 : box.top - tip.offsetHeight - 4) - frame.top + 'px';
      tip.style.left = Math.max(0, Math.min(box.left - frame.left, main.clientWidth - tip.offsetWidth)) + 'px';
    };
    const later = (run) => {
      clearTimeout(timer);
      timer = setTimeout(run, 200);
    };
    const linkOf = (event) => event.target.closest(LINK);

    // 鼠标：停一下才显示；移到提示上不消失。
    main.addEventListener('pointerover', (event) => {
      if (event.pointerType === 'touch') return;
      const link = linkOf(event);
      if (link) later(() => show(link));
      else if (tip.contains(event.target)) clearTimeout(timer);
    });
    main.addEventListener('pointerout', (event) => {
      if (event.pointerType !== 'touch' && (linkOf(event) || tip.contains(event.target))) later(hide);
    });
    main.addEventListener('focusin', (event) => {
      const link = linkOf(event);
      if (link) show(link);
    });
    main.addEventListener('focusout', (event) => {
      if (linkOf(event)) hide();
    });
    // 手指：第一下显示，第二下才跟着链接走；点别处就收起。
    let first = null;
    document.addEventListener('pointerdown', (event) => {
      const link = linkOf(event);
      first = event.pointerType === 'touch' && link !== owner ? link : null;
      if (!link && !tip.contains(event.target)) hide();
    });
    main.addEventListener('click', (event) => {
      const link = linkOf(event);
      if (!link || link !== first) return;
      event.preventDefault();
      first = null;
      show(link, '再点一下，去单词汇总。');
    });
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') hide();
    });
    document.documentElement.dataset.tips = 'ready';
  };

  // 不与首屏抢时间。
  const idle = window.requestIdleCallback || ((run) => setTimeout(run, 200));
  window.addEventListener('load', () => idle(() => load('glossary-data.js', start)));
})();
