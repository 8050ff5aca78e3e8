// 中文搜索：用 mdBook 的索引里存着的全文，按子串匹配。
'use strict';
(() => {
  const $ = (id) => document.getElementById('mdbook-' + id);
  const [wrap, bar, list, outer, header, icon] =
    ['search-wrapper', 'searchbar', 'searchresults', 'searchresults-outer', 'searchresults-header', 'search-toggle'].map($);
  const main = document.querySelector('main');
  window.search = window.search || {};
  window.search.hasFocus = () => document.activeElement === bar;
  if (!wrap) return;

  const LIMIT = 30;
  const WINDOW = 70;
  const HAN = /\p{Script=Han}+|[^\p{Script=Han}\s]+/gu;
  let docs = null;
  let shown = '';

  // 统一写法：全角变半角，大写变小写。
  const fold = (text) => text.normalize('NFKC').toLowerCase();

  // 折叠会改变长度时，逐字折叠，保持下标可用。
  const foldKeep = (text) => Array.from(text, (c) => { const f = fold(c); return f.length === c.length ? f : c; }).join('');

  const terms = (query) => [...new Set(fold(query).match(HAN) || [])];

  const load = () => {
    if (document.getElementById('mdbook-search-index')) return;
    const script = document.createElement('script');
    script.id = 'mdbook-search-index';
    script.src = window.path_to_searchindex_js;
    script.onload = () => {
      const { doc_urls: urls, index } = window.search;
      docs = Object.values(index.documentStore.docs).map((doc) => ({
        url: urls[doc.id],
        title: doc.title,
        crumbs: doc.breadcrumbs,
        body: doc.body,
        foldTitle: fold(doc.title),
        foldCrumbs: fold(doc.breadcrumbs),
        foldBody: foldKeep(doc.body),
        generated: /^ledger/.test(urls[doc.id]),
      }));
      run();
    };
    document.head.append(script);
  };

  const count = (text, term) => {
    let n = 0;
    for (let at = text.indexOf(term); at >= 0 && n < 50; at = text.indexOf(term, at + term.length)) n += 1;
    return n;
  };

  // 标题相等最重，标题包含次之（占得越满越重），面包屑再次，正文按出现次数的对数。
  const score = (doc, words, query) => {
    let total = 0;
    for (const word of words) {
      let points = 0;
      if (doc.foldTitle.includes(word)) points += 30 + 40 * word.length / doc.foldTitle.length;
      if (doc.foldCrumbs.includes(word)) points += 8;
      const hits = count(doc.foldBody, word);
      if (hits) points += 6 * Math.log2(1 + hits);
      if (!points) return 0;
      total += points;
    }
    if (doc.foldTitle === query) total += 100;
    if (words.length > 1 && doc.foldBody.includes(query)) total += 10;
    return doc.generated ? total / 4 : total;
  };

  const rank = (words, query) =>
    docs.map((doc) => ({ doc, points: score(doc, words, query) }))
      .filter((hit) => hit.points > 0)
      .sort((a, b) => b.points - a.points || a.doc.body.length - b.doc.body.length)
      .slice(0, LIMIT);

  // 一个也没有时，把汉字拆成两字一组，至少一半出现才算。
  const loose = (words) => {
    const pairs = words.flatMap((word) => word.length > 2 && /\p{Script=Han}/u.test(word)
      ? Array.from({ length: word.length - 1 }, (_, i) => word.slice(i, i + 2)) : [word]);
    return docs.map((doc) => {
      const found = pairs.filter((pair) => doc.foldTitle.includes(pair) || doc.foldBody.includes(pair));
      return { doc, words: found, points: found.length * 2 >= pairs.length ? found.length : 0 };
    }).filter((hit) => hit.points > 0).sort((a, b) => b.points - a.points).slice(0, LIMIT);
  };

  // 摘录里的公式（没有汉字、带 TeX 记号或零散字母的一段）写成一个省略号。
  const tidy = (text) => text
    .replace(/(?:[^\p{Script=Han}\s]*[\\_^{}\u200b\u2061][^\p{Script=Han}\s]*\s*)+/gu, ' ⋯ ')
    .replace(/(?:(?<![\w.])[\p{L}\d=+\-−()[\]/,.⋅×∑√′]{1,3}(?=\s|$)\s*){4,}/gu, (found) => /\p{Script=Han}/u.test(found) ? found : ' ⋯ ')
    .replace(/(?:\s*⋯\s*)+/g, ' ⋯ ');

  // 命中最密的一段，从句子的开头起，命中的字放进 em。
  const excerpt = (doc, words) => {
    const text = tidy(doc.body);
    const folded = foldKeep(text);
    const hits = [];
    for (const word of words) {
      for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length)) hits.push([at, at + word.length]);
    }
    hits.sort((a, b) => a[0] - b[0]);
    let best = 0;
    let most = 0;
    hits.forEach(([start], i) => {
      const inside = hits.slice(i).filter(([, end]) => end <= start + WINDOW).length;
      if (inside > most) [best, most] = [start, inside];
    });
    const before = text.slice(0, best);
    const sentence = Math.max(...['。', '！', '？', '；'].map((mark) => before.lastIndexOf(mark) + 1));
    let from = best - sentence > 30 ? Math.max(best - 20, 0) : sentence;
    const to = Math.min(text.length, Math.max(from + WINDOW, best + WINDOW / 2));
    const span = document.createElement('span');
    span.className = 'teaser';
    if (from > sentence) span.append('…');
    for (const [start, end] of hits) {
      if (start < from || end > to) continue;
      span.append(text.slice(from, start));
      const em = document.createElement('em');
      em.textContent = text.slice(start, end);
      span.append(em);
      from = end;
    }
    span.append(text.slice(from, to), to < text.length ? '…' : '');
    return span;
  };

  const run = () => {
    const query = bar.value.trim();
    bar.classList.toggle('active', query !== '');
    outer.classList.toggle('hidden', query === '');
    if (query === shown && query) return;
    shown = query;
    list.replaceChildren();
    if (!query || !docs) return;
    const words = terms(query);
    let hits = rank(words, fold(query));
    const near = !hits.length;
    if (near) hits = loose(words);
    header.textContent = !hits.length ? `没有找到“${query}”。` : near ? `没有“${query}”，相近的有：` : `“${query}”：${hits.length} 条`;
    hits.forEach(({ doc, words: own }, i) => {
      const item = document.createElement('li');
      const link = document.createElement('a');
      const [path, hash] = doc.url.split('#');
      link.href = `${path_to_root}${path}?highlight=${encodeURIComponent((own || words).join(' '))}${hash ? '#' + hash : ''}`;
      link.textContent = doc.crumbs;
      const teaser = excerpt(doc, own || words);
      teaser.id = 'mdbook-teaser_' + i;
      link.setAttribute('aria-describedby', teaser.id);
      item.append(link, teaser);
      list.append(item);
    });
  };

  const open = (yes) => {
    wrap.classList.toggle('hidden', !yes);
    icon.setAttribute('aria-expanded', String(yes));
    if (yes) {
      load();
      window.scrollTo(0, 0);
      bar.select();
    } else {
      list.querySelector('li.focus')?.classList.remove('focus');
      icon.focus();
    }
  };

  const move = (step) => {
    const items = [...list.children];
    const at = items.findIndex((item) => item.classList.contains('focus'));
    items[at]?.classList.remove('focus');
    const next = items[at + step];
    if (!next) {
      bar.select();
      return;
    }
    next.classList.add('focus');
    next.querySelector('a').focus();
  };

  icon.addEventListener('click', () => open(wrap.classList.contains('hidden')));
  bar.addEventListener('input', run);
  document.addEventListener('submit', (event) => event.preventDefault());
  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const typing = /^(input|textarea|select)$/i.test(event.target.tagName);
    const closed = wrap.classList.contains('hidden');
    const inList = list.contains(event.target);
    if ((event.key === '/' || event.key === 's') && !typing) {
      event.preventDefault();
      open(true);
    } else if (event.key === 'Escape' && !closed) {
      event.preventDefault();
      open(false);
      new window.Mark(main).unmark();
    } else if (!closed && (event.key === 'ArrowDown' || event.key === 'ArrowUp') && (inList || event.target === bar)) {
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter' && event.target === bar) {
      event.preventDefault();
      list.querySelector('a')?.click();
    }
  });

  // 落地页：标出命中的字，公式和图里不标。
  const words = new URLSearchParams(location.search).get('highlight');
  if (words) {
    const marker = new window.Mark(main);
    marker.mark(words.split(' '), { exclude: ['.katex *', 'svg *'], separateWordSearch: false });
    main.addEventListener('click', (event) => event.target.closest('mark') && marker.unmark());
  }
})();
