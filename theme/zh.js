// 界面的中文：mdBook 的模板里写着英文，在读者看到或听到之前换掉。
'use strict';
(() => {
  const $ = (id) => document.getElementById('mdbook-' + id);
  const say = (element, words) => {
    if (!element) return;
    if (element.title) element.title = words;
    element.setAttribute('aria-label', words);
  };
  const themes = { default_theme: '跟随系统', light: '浅色', rust: '暖色', coal: '炭黑', navy: '深蓝', ayu: '墨青' };
  for (const [name, words] of Object.entries(themes)) {
    const button = $('theme-' + name);
    if (button) button.textContent = words;
  }
  say($('theme-toggle'), '换主题');
  say($('theme-list'), '主题');
  say($('search-toggle'), '搜索（按 /）');
  say($('sidebar'), '目录');
  document.querySelectorAll('.nav-wrapper').forEach((nav) => nav.setAttribute('aria-label', '翻页'));
  document.querySelectorAll('.nav-wide-wrapper').forEach((nav) => nav.setAttribute('aria-label', '翻页（宽屏）'));
  document.querySelectorAll('a.previous').forEach((link) => say(link, '上一页'));
  document.querySelectorAll('a.next').forEach((link) => say(link, '下一页'));
  say(document.querySelector('.right-buttons a[href$="print.html"]'), '打印全书');

  // 帮助：名字、角色和四行说明。
  const help = $('help-popup');
  if (help) {
    help.setAttribute('role', 'dialog');
    help.setAttribute('aria-label', '键盘快捷键');
    help.querySelector('h2').textContent = '键盘快捷键';
    const lines = ['<kbd>←</kbd> 或 <kbd>→</kbd>：翻页', '<kbd>S</kbd> 或 <kbd>/</kbd>：搜索',
      '<kbd>?</kbd>：显示这份帮助', '<kbd>Esc</kbd>：关闭这份帮助'];
    help.querySelectorAll('p').forEach((line, i) => { line.innerHTML = lines[i]; });
  }

  // 搜索框。
  const bar = $('searchbar');
  if (bar) {
    bar.placeholder = '搜索全书……';
    bar.setAttribute('aria-label', '搜索全书');
    bar.setAttribute('aria-describedby', 'mdbook-searchresults-header');
    $('searchresults-header').setAttribute('aria-live', 'polite');
    $('search-wrapper').setAttribute('role', 'search');
    $('search-wrapper').setAttribute('aria-label', '搜索');
  }

  // 一下子跳到别处，或者收起目录时，mdBook 把菜单栏留在正文中间：移回屏幕上边。
  const menu = $('menu-bar');
  const lift = () => {
    if (menu.getBoundingClientRect().top > 1) menu.style.top = document.scrollingElement.scrollTop + 'px';
  };
  if (menu) {
    menu.setAttribute('role', 'banner');
    document.addEventListener('scroll', lift, { passive: true });
  }

  // 目录的开关原是一个 label；换成真正的按钮，状态跟着复选框走。
  const label = $('sidebar-toggle');
  const box = $('sidebar-toggle-anchor');
  if (label && box) {
    const button = document.createElement('button');
    button.type = 'button';
    button.id = 'sidebar-button';
    button.className = 'icon-button';
    button.append(...Array.from(label.childNodes, (node) => node.cloneNode(true)));
    button.setAttribute('aria-controls', 'mdbook-sidebar');
    say(button, '目录');
    button.title = '目录';
    const mirror = () => button.setAttribute('aria-expanded', String(box.checked));
    button.addEventListener('click', () => box.click());
    box.addEventListener('change', mirror);
    mirror();
    box.setAttribute('aria-label', '目录的开关');
    label.before(button);
    label.hidden = true;
    for (const name of ['aria-expanded', 'aria-label', 'aria-controls', 'title']) label.removeAttribute(name);
    new MutationObserver(() => label.removeAttribute('aria-expanded')).observe(label, { attributeFilter: ['aria-expanded'] });

    // mdBook 收起目录后把它藏掉：再打开时放回来；手指划开划回的，开关也跟着。
    const sidebar = $('sidebar');
    const root = document.documentElement;
    new MutationObserver(() => {
      const open = root.classList.contains('sidebar-visible');
      if (open) sidebar.style.display = '';
      box.checked = open;
      mirror();
      lift();
    }).observe(root, { attributeFilter: ['class'] });

    // 窄屏上，选了本页的一节，或者点了正文，目录就收起；选了主题，列表就收起。
    const narrow = matchMedia('(max-width: 620px)');
    const covering = () => narrow.matches && box.checked;
    sidebar.addEventListener('click', (event) => {
      const link = event.target.closest('a[href]');
      if (link && covering() && link.pathname === location.pathname) box.click();
    });
    document.querySelector('main').addEventListener('click', (event) => {
      if (!covering()) return;
      event.preventDefault();
      event.stopPropagation();
      box.click();
    }, true);
    $('theme-list').addEventListener('click', () => { if (narrow.matches) $('theme-toggle').click(); });
  }

  // “1e-12”“GPT-2”中间的短横之后不换行。
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  const broken = /[\w.]+-\d[\w.]*/;
  const found = [];
  while (texts.nextNode()) {
    const node = texts.currentNode;
    if (broken.test(node.data) && !node.parentElement.closest('pre, svg, .katex')) found.push(node);
  }
  for (let node of found) {
    for (let hit; (hit = broken.exec(node.data));) {
      const word = node.splitText(hit.index);
      node = word.splitText(hit[0].length);
      const whole = document.createElement('span');
      whole.className = 'whole';
      word.replaceWith(whole);
      whole.append(word);
    }
  }

  // 宽的公式、表格和代码在自己里面滚动，键盘也够得着。
  const reach = () => document.querySelectorAll('main .katex-display, main .table-wrapper, main pre > code').forEach((box) => {
    if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
    else box.removeAttribute('tabindex');
  });
  reach();
  window.addEventListener('resize', reach);

  // 打印时展开全部答案，印完收回。
  let folded = [];
  const unfold = (open) => folded.forEach((box) => { box.open = open; });
  window.addEventListener('beforeprint', () => {
    folded = document.querySelectorAll('main details:not([open])');
    unfold(true);
  });
  window.addEventListener('afterprint', () => unfold(false));
})();
