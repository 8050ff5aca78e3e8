// 在页头运行：让 mdBook 自带的搜索（不认识中文）不登记，由 theme/search.js 接手。
Object.defineProperty(window, 'elasticlunr', { get: () => null, set: () => {} });
