// 在页头运行：mdBook 自带的搜索不认识中文，不让它登记，由 theme/search.js 接手；404 页的标题在画出来之前换成中文。
Object.defineProperty(window, 'elasticlunr', { get: () => null, set: () => {} });
document.title = document.title.replace('Page not found', '没有这一页');
