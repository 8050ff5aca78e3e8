// 在页头运行：404 页的标题在画出来之前换成中文。
document.title = document.title.replace('Page not found', '没有这一页');
