// 把眼前这一页变成某个样子；arguments[0] 是名字。成了返回 true。
const key = (name) => document.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
const shown = (id) => document.getElementById(id).checkVisibility({ visibilityProperty: true });
const wait = async (test) => {
  for (let i = 0; i < 100 && !test(); i++) await new Promise((r) => setTimeout(r, 50));
  return test();
};
if (shown('mdbook-help-popup')) key('Escape');
if (shown('mdbook-searchbar')) document.getElementById('mdbook-search-toggle').click();
if (shown('mdbook-theme-list')) document.getElementById('mdbook-theme-toggle').click();
if (['mdbook-help-popup', 'mdbook-searchbar', 'mdbook-theme-list'].some(shown)) return false;
switch (arguments[0]) {
  case 'Plain':
    return true;
  case 'Search': {
    document.getElementById('mdbook-search-toggle').click();
    const bar = document.getElementById('mdbook-searchbar');
    bar.value = '位置';
    bar.dispatchEvent(new Event('input', { bubbles: true }));
    return wait(() => shown('mdbook-searchbar') && document.querySelectorAll('#mdbook-searchresults li').length > 5);
  }
  case 'Themes':
    document.getElementById('mdbook-theme-toggle').click();
    return wait(() => shown('mdbook-theme-list'));
  case 'Help':
    key('?');
    return wait(() => shown('mdbook-help-popup'));
}
return false;
