// 改动样式表的一处，看有没有零件动了超过 arguments[0] 像素；没有的就报出来。
const limit = arguments[0];
plainEnds();
await settle();
const before = parts();
const sheet = ours().sheet;
const idle = [];
for (let i = 0; i < sheet.cssRules.length; i++) {
  const { cssText, selectorText, style } = sheet.cssRules[i];
  const swap = (rule) => {
    sheet.deleteRule(i);
    sheet.insertRule(rule, i);
  };
  const still = (rule) => {
    swap(rule);
    return distance(before, parts()) <= limit;
  };
  const body = style.cssText.split(/;\s*/).filter(Boolean);
  const list = /:is\(([^()]*)\)/.exec(selectorText);
  const options = list ? list[1].split(/,\s*/) : [];
  if (still(`${selectorText} {}`)) {
    idle.push(cssText);
  } else {
    for (const option of options) {
      const rest = options.filter((x) => x !== option).join(', ');
      if (still(`${selectorText.replace(list[1], rest)} { ${body.join('; ')} }`)) idle.push(`${selectorText} 里的 ${option}`);
    }
  }
  swap(cssText);
}
if (distance(before, parts()) > 0) idle.push('改完没有复原');
return idle;
