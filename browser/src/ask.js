// 在开着的一页里逐个搜 arguments[0] 里的词，交出每次的表头与各条结果。
// 第一次会打开搜索框，等索引读完。
const $ = (id) => document.getElementById('mdbook-' + id);
const bar = $('searchbar');
if ($('search-wrapper').classList.contains('hidden')) $('search-toggle').click();
const type = (text) => {
  bar.value = text;
  bar.dispatchEvent(new InputEvent('input', { bubbles: true }));
};
for (let i = 0; i < 600 && !window.search.text; i++) {
  await new Promise((next) => setTimeout(next, 50));
}
await new Promise((next) => setTimeout(next, 50));
const root = new URL(path_to_root || '.', location.href).href;
return arguments[0].map((query) => {
  type(query);
  return {
    header: $('searchresults-header').textContent,
    hits: [...$('searchresults').children].map((item) => {
      const link = item.querySelector('a');
      return {
        page: link.href.slice(root.length).replace(/[?#].*/, ''),
        title: link.textContent,
        excerpt: item.querySelector('.teaser').textContent,
        marks: [...item.querySelectorAll('.teaser em')].map((em) => em.textContent),
      };
    }),
  };
});
