// 代码着色：只认 Rust、Python 和终端记录，借用 mdBook 的颜色。
'use strict';
window.hljs = {
  configure() {},
  highlightBlock(block) {
    const language = /language-(rs|rust|python|console|toml|sh)\b/.exec(block.className)?.[1];
    if (!language || block.children.length) return;
    const words = language === 'python'
      ? 'def|return|import|as|for|in|if|else|lambda|from|None|True|False'
      : 'pub|fn|let|mut|for|in|if|else|match|return|use|mod|struct|enum|impl|const|static|where|while|loop|as|ref|move|self|Self|crate|true|false|break|continue|dyn|type|trait';
    const comment = language === 'rs' || language === 'rust' ? '\\/\\/[^\\n]*' : '#[^\\n]*';
    // 单引号在 Python 里是字符串，在 Rust 里是一个字（后面没有引号的是生存期）。
    const quoted = language === 'python' ? "'(?:[^'\\\\\\n]|\\\\.)*'" : "'(?:[^'\\\\\\n]|\\\\.)'";
    const pattern = language === 'console'
      ? /(?<meta>^\$ .*)/g
      : new RegExp(
        `(?<comment>${comment})|(?<string>b?r?"(?:[^"\\\\]|\\\\.)*"|${quoted})`
        + `|(?<meta>#\\[[^\\]]*\\])|(?<keyword>\\b(?:${words})\\b)|(?<type>\\b[A-Z][A-Za-z0-9]+\\b)`
        + '|(?<number>\\b\\d[\\d_]*(?:\\.\\d+)?(?:e-?\\d+)?(?:_?[fiu]\\d+|usize)?\\b)|(?<title>\\b[a-z_][a-z0-9_]*!?(?=\\())', 'g');
    const source = block.textContent;
    const pieces = [];
    let from = 0;
    for (const found of source.matchAll(pattern)) {
      const [kind] = Object.entries(found.groups).find(([, text]) => text !== undefined);
      const span = document.createElement('span');
      span.className = 'hljs-' + kind;
      span.textContent = found[0];
      pieces.push(source.slice(from, found.index), span);
      from = found.index + found[0].length;
    }
    block.replaceChildren(...pieces, source.slice(from));
  },
};
