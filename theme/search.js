// 中文搜索：在 searchtext.js 里找子串。
'use strict';
(() => {
  const [wrap, bar, list, outer, header, icon] = ['search-wrapper', 'searchbar', 'searchresults', 'searchresults-outer',
    'searchresults-header', 'search-toggle'].map((id) => document.getElementById('mdbook-' + id));
  const main = document.querySelector('main');
  let docs;
  window.search = { hasFocus: () => document.activeElement === bar };

  // 全角变半角，大写变小写，长度不变。
  const fold = (text) => text.replace(/[！-～]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0)).toLowerCase();

  // 汉字之间容许一个空白（原是标签），字母和数字先找整个的词，定义写作“词（word）”。
  const term = (text) => {
    const han = /\p{Script=Han}/u.test(text);
    const part = [...text].map((c) => c.replace(/[.*+?^${}()|[\]\\]/, '\\$&')).join(han ? '\\s?' : '');
    const whole = han ? part : `(?<!\\w|\\d\\.)${part}(?!\\w)`;
    const definition = `(?<!\\p{Script=Han})${whole}\\s?\\([a-z]|\\p{Script=Han}\\s?\\([a-z ,-]*${whole}`;
    return { text, part: RegExp(part, 'giu'), whole: RegExp(whole, 'giu'), definition: RegExp(definition, 'u') };
  };
  const find = (text, { whole, part }) => {
    const hits = [...text.matchAll(whole)];
    return hits.length ? hits : [...text.matchAll(part)];
  };

  const split = (query) => [...new Set(fold(query).match(/\p{Script=Han}+|[^\p{Script=Han}\s]+/gu))]
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')).filter(Boolean).map(term);
  const pairs = (words) => words.flatMap((word) => /\p{Script=Han}{3}/u.test(word.text)
    ? Array.from(word.text.slice(1), (_, i) => term(word.text.slice(i, i + 2))) : word);

  const load = () => {
    if (docs) return;
    docs = [];
    const script = document.createElement('script');
    script.src = path_to_root + 'searchtext.js';
    script.onerror = () => { header.textContent = '读不到全文。'; };
    script.onload = () => {
      docs = window.search.text.map(([url, title, breadcrumbs, body], i, all) => {
        const [page] = url.split('#');
        const crumbs = [...new Set(breadcrumbs.split(' » '))].join(' » ');
        const front = crumbs === title;
        // 讲的页在前，勘误、自测、断言清单与空的小标题在后。
        const weight = body || front ? { ledger: 0.2, errata: 0.2, selftest: 0.2, faq: 0.8, map: 0.8, glossary: 0.8 }[/\w+/.exec(page)] || 1 : 0.1;
        return { url, page, front, weight, crumbs, title: fold(title), text: fold(body), body: body || front && all[i + 1]?.[3] || '' };
      });
      run();
    };
    document.head.append(script);
  };

  // 标题里有（占得越满越重）、下定义、章名里有、正文里多。
  const points = ({ title, crumbs, text, front }, word) => {
    const hits = find(text, word).length;
    return (title.search(word.part) >= 0) * (10 + 50 * word.text.length / title.length + front * 45)
      + (text.search(word.definition) >= 0) * 40 + (crumbs.search(word.part) >= 0) * 10
      + 20 * hits / (hits + 1 + text.length / 1500);
  };

  // 页上每个词都要有（loose：节里有一半），越少见的词越重。
  const rank = (words, query, loose) => {
    const table = docs.map((doc) => words.map((word) => points(doc, word)));
    const pages = words.map((_, k) => new Set(docs.filter((_, i) => table[i][k]).map((doc) => doc.page)));
    return docs.map((doc, i) => {
      const found = words.filter((_, k) => table[i][k]);
      const enough = loose ? found.length * 2 >= words.length : pages.every((set) => set.has(doc.page));
      const sum = table[i].reduce((total, value, k) => total + value / (pages[k].size || 1), 0);
      return { doc, found, points: found.length && enough && sum * (doc.weight + (doc.title === query) * 0.7) };
    }).filter((hit) => hit.points).sort((a, b) => b.points - a.points);
  };

  // 公式里有 TeX 就写成省略号。
  const TEX = /\\[a-z]{2}|[_^]\{|[\u200b\u2061]/i;
  const SHORT = /^([^“”\u2e80-\uffff]{1,3}|[\d.]+)$/;
  const tidy = (text) => {
    const out = [];
    let run = [];
    for (const token of [...text.split(/\s+|(?<![“”\u2e80-\uffff])(?=[“”\u2e80-\uffff])/), '']) {
      if (TEX.test(token) || SHORT.test(token)) {
        run.push(token);
        continue;
      }
      out.push(...TEX.test(run) ? '⋯' : run, token);
      run = [];
    }
    return out.join(' ').replace(/ (?=[，。、：；？！（）“”])/g, '');
  };

  // 命中最密的一段，从句子的开头起。
  const excerpt = (text, words) => {
    const folded = fold(text);
    const hits = words.flatMap((word) => find(folded, word).map((hit) => [hit.index, hit.index + hit[0].length]))
      .sort((a, b) => a[0] - b[0]);
    const near = ([at]) => hits.filter(([start]) => start >= at && start < at + 70).length;
    const [best] = hits.reduce((a, b) => near(b) > near(a) ? b : a, hits[0] || [0]);
    const sentence = text.slice(0, best).search(/[^。！？；]*$/);
    let from = Math.max(sentence, best - 30);
    const to = Math.max(from, best - 20) + 70;
    const out = [from > sentence ? '…' : ''];
    for (const [start, end] of hits) {
      if (start < from || end > to) continue;
      const em = document.createElement('em');
      em.textContent = text.slice(start, end);
      out.push(text.slice(from, start), em);
      from = end;
    }
    return [...out, text.slice(from, to), to < text.length ? '…' : ''];
  };

  const run = () => {
    const query = bar.value.trim();
    outer.classList.toggle('hidden', !query);
    if (!docs?.length) return;
    const words = split(query);
    const strict = rank(words, fold(query));
    const hits = strict.length ? strict : rank(pairs(words), '', true);
    header.textContent = !hits.length ? `没有找到“${query}”。` : strict.length ? `“${query}”：${hits.length} 处` : `没有“${query}”，相近的有：`;
    list.replaceChildren(...hits.slice(0, 30).map(({ doc, found }, i) => {
      const [item, link, teaser] = ['li', 'a', 'span'].map((tag) => document.createElement(tag));
      const asked = encodeURIComponent(found.map((word) => word.text).join(' '));
      link.href = path_to_root + doc.url.replace(/(?=#|$)/, `?highlight=${asked}`);
      link.textContent = doc.crumbs;
      teaser.className = 'teaser';
      teaser.id = 'mdbook-teaser_' + i;
      teaser.append(...excerpt(tidy(doc.body), found));
      link.setAttribute('aria-describedby', teaser.id);
      item.append(link, teaser);
      return item;
    }));
  };

  const open = (yes) => {
    wrap.classList.toggle('hidden', !yes);
    icon.setAttribute('aria-expanded', yes);
    if (!yes) return icon.focus();
    load();
    bar.select();
  };

  icon.onclick = () => open(wrap.classList.contains('hidden'));
  bar.form.onsubmit = (event) => {
    event.preventDefault();
    list.querySelector('a')?.click();
  };
  // 拼音还没有选定时不搜，也不接按键。
  bar.oninput = (event) => event.isComposing || run();
  bar.addEventListener('compositionend', run);
  document.addEventListener('keydown', (event) => {
    const { key, target, altKey, ctrlKey, metaKey, isComposing } = event;
    if (altKey || ctrlKey || metaKey || isComposing) return;
    const stops = [bar, ...list.querySelectorAll('a')];
    const at = stops.indexOf(target);
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if ((key === '/' || key === 's') && !target.matches('input, textarea, select')) open(true);
    else if (key === 'Escape' && !wrap.classList.contains('hidden')) {
      open(false);
      unmark();
    } else if (step && ~at) stops.at((at + step) % stops.length).focus();
    else return;
    event.preventDefault();
  });

  // 落地页：标出命中的字，露出标题之后的第一处。
  const unmark = () => main.querySelectorAll('mark').forEach((mark) => mark.replaceWith(...mark.childNodes));
  for (const word of split(new URLSearchParams(location.search).get('highlight') || '')) {
    const nodes = [];
    let text = '';
    const walker = document.createTreeWalker(main, 4);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.parentNode.closest('.katex, svg, button, .play')) continue;
      nodes.push([node, text.length]);
      text += node.data;
    }
    for (const hit of find(text, word).reverse()) {
      for (const [node, at] of nodes) {
        const from = Math.max(hit.index - at, 0);
        const to = Math.min(hit.index - at + hit[0].length, node.length);
        if (from >= to) continue;
        const mark = document.createElement('mark');
        node.splitText(to).before(mark);
        mark.append(node.splitText(from));
      }
    }
  }
  main.onclick = (event) => event.target.closest('mark') && unmark();
  window.onload = () => {
    const heading = document.getElementById(location.hash.slice(1)) || main;
    const first = [...main.querySelectorAll('mark')].find((mark) => heading.compareDocumentPosition(mark) & 4);
    for (let box = first; box; box = box.parentElement.closest('details')) box.open = true;
    first?.scrollIntoView({ block: 'center' });
  };
})();
