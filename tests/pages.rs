//! 评判建成的网页：每条规则看遍全书，报出它数到了多少、哪里不对。
//!
//! 规则自己也受检：`broken.rs` 里有一本小书，每一页坏一处，相应的规则必须拒绝。

use crate::page::{CODE, FORMULA, Kind, MAIN, Node, Page, SVG, Site, UNSEEN, site};
use crate::rendered::Chapter;
use regex::{Captures, Regex};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use std::sync::LazyLock;

/// 一条规则看过全书的结果。
#[derive(Default)]
pub struct Verdict {
    /// 看过多少处；一处没看的规则不算通过。
    pub seen: usize,
    /// 不对的地方，以网页的路径开头。
    pub faults: Vec<String>,
}

impl Verdict {
    fn fault(&mut self, page: &str, what: impl AsRef<str>) {
        self.faults.push(format!("{page}：{}", what.as_ref()));
    }

    /// 一处检查，计入看过的。
    fn check(&mut self, holds: bool, page: &str, what: impl AsRef<str>) {
        self.seen += 1;
        if !holds {
            self.fault(page, what);
        }
    }

    /// 整页的检查，不算看过一处。
    fn require(&mut self, holds: bool, page: &str, what: impl AsRef<str>) {
        if !holds {
            self.fault(page, what);
        }
    }
}

/// 一条规则。
pub type Rule = fn(&Site) -> Verdict;

/// 全部规则。
pub const RULES: &[(&str, Rule)] = &[
    ("complaints", complaints),
    ("elements", elements),
    ("fences", fences),
    ("figures", figures),
    ("formulas", formulas),
    ("gaps", gaps),
    ("headings", headings),
    ("hidden", hidden),
    ("ids", ids),
    ("links", links),
    ("marks", marks),
    ("outside", outside),
    ("search", search),
    ("source", source),
    ("styles", styles),
    ("summary", summary),
    ("tables", tables),
    ("titles", titles),
];

macro_rules! pattern {
    ($name:ident, $pattern:expr) => {
        static $name: LazyLock<Regex> =
            LazyLock::new(|| Regex::new($pattern).expect("正则表达式"));
    };
}

/// 空白分隔的名单。
macro_rules! words {
    ($name:ident, $words:expr) => {
        static $name: LazyLock<HashSet<&str>> =
            LazyLock::new(|| $words.split_ascii_whitespace().collect());
    };
}

/// 建书时没有警告，也没有错误。
pub fn complaints(site: &Site) -> Verdict {
    let mut verdict = Verdict {
        seen: site.built.chapters.len(),
        ..Verdict::default()
    };
    for complaint in &site.built.complaints {
        verdict.fault("建书", complaint.trim());
    }
    verdict
}

/// 公式一个不少、没有被 Markdown 撕开，没有报错的颜色。
pub fn formulas(site: &Site) -> Verdict {
    let mut verdict = Verdict::default();
    for page in &site.pages {
        let chapters: Vec<&Chapter> = match (site.chapter(page), page.path.as_str()) {
            (Some(chapter), _) => vec![chapter],
            (None, "index.html") => site.built.chapters.first().into_iter().collect(),
            (None, "print.html") => site.built.chapters.iter().collect(),
            (None, _) => vec![],
        };
        let wanted: Vec<&(bool, String)> = chapters
            .iter()
            .flat_map(|chapter| &chapter.formulas)
            .collect();
        formulas_of(page, &wanted, &site.built.error_color, &mut verdict);
    }
    verdict
}

fn formulas_of(
    page: &Page,
    wanted: &[&(bool, String)],
    error: &str,
    verdict: &mut Verdict,
) {
    let mut shapes = [0; 4];
    let mut sources = Vec::new();
    for (index, node) in page.content() {
        let within = node.within(FORMULA);
        let parent = &page.nodes[node.parent];
        for class in node.classes() {
            match class {
                "katex" => shapes[0] += 1,
                "katex-html" if parent.has_class("katex") => shapes[1] += 1,
                "katex-mathml" if parent.has_class("katex") => shapes[2] += 1,
                "katex-display" => shapes[3] += 1,
                _ => {}
            }
        }
        if within && node.name() == "annotation" {
            sources.push(page.text(index));
        }
        let red = node
            .attr("style")
            .is_some_and(|style| style.contains(error))
            || node.attr("mathcolor") == Some(error)
            || node.has_class("katex-error");
        if red {
            let text = page.text(index);
            verdict.fault(&page.path, format!("KaTeX 报错的颜色：{text}"));
        }
        if within && !FORMULA_ELEMENTS.contains(node.name()) {
            let (name, text) = (node.name(), page.text(index));
            verdict.fault(&page.path, format!("公式里有 <{name}>：{text}"));
        }
    }
    let display = wanted.iter().filter(|(display, _)| *display).count();
    let counts = [wanted.len(), wanted.len(), wanted.len(), display];
    let names = [".katex", ".katex-html", ".katex-mathml", ".katex-display"];
    for ((name, shape), count) in names.iter().zip(shapes).zip(counts) {
        let told = format!("{name} 有 {shape} 个，公式应有 {count} 个");
        verdict.require(shape == count, &page.path, told);
    }
    let told = format!("注释有 {} 条，公式有 {} 个", sources.len(), wanted.len());
    verdict.require(sources.len() == wanted.len(), &page.path, told);
    for (found, (_, tex)) in sources.iter().zip(wanted) {
        let same = essence(found) == essence(tex);
        verdict.check(same, &page.path, format!("公式 {tex} 变成了 {found}"));
    }
}

/// 公式的 TeX 去掉空白和反斜杠：Markdown 会吃掉两个反斜杠中的一个，没有人看得见。
fn essence(tex: &str) -> String {
    tex.chars()
        .filter(|c| !c.is_whitespace() && *c != '\\')
        .collect()
}

// KaTeX 输出的元素；公式里出现别的，就是 Markdown 插了手。
words!(
    FORMULA_ELEMENTS,
    "span svg path line g math semantics annotation mrow mi mo mn ms mtext mspace \
    msub msup msubsup munder mover munderover mfrac msqrt mroot mtable mtr mtd \
    mstyle mpadded mphantom menclose mglyph mlabeledtr mfenced"
);

pattern!(
    MARK,
    r"[\\$`*~|]|__|(?:^|[^0-9A-Za-z])_|_(?:[^0-9A-Za-z]|$)|\{\{|\}\}|\{#|\[\[|\]\[|\]\(|\[\^|\[!|\[[0-9A-Za-z]{1,3}\]|&#?\w+;|</|---|===|^\s*#"
);

/// 代码和公式之外的文字里没有 Markdown 或 TeX 的残余。
pub fn marks(site: &Site) -> Verdict {
    pattern!(PRICE, r"\$\d[\d.]*");
    let mut verdict = Verdict::default();
    for page in &site.pages {
        let everything = page.path == "toc.html";
        let source = site.chapter(page).map_or("", |chapter| &chapter.included);
        if COPIES.contains(&page.path.as_str()) {
            continue;
        }
        for node in &page.nodes {
            if node.within(CODE | FORMULA | UNSEEN)
                || !(everything || node.within(MAIN))
            {
                continue;
            }
            let shown = ["title", "alt", "aria-label", "placeholder"];
            let texts = shown.iter().filter_map(|name| node.attr(name));
            for text in texts.chain(node.text()) {
                verdict.seen += 1;
                // 源文件里写成 \$5 的价钱是作者要的。
                let unpriced = PRICE.replace_all(text, |price: &Captures| {
                    let meant = source.contains(&format!("\\{}", &price[0]));
                    if meant {
                        String::new()
                    } else {
                        price[0].to_string()
                    }
                });
                if let Some(mark) = MARK.find(&unpriced) {
                    let (mark, text) = (mark.as_str(), text.trim());
                    verdict.fault(&page.path, format!("残留的记号 {mark:?}：{text}"));
                }
            }
        }
    }
    verdict
}

/// 别的页的副本，文字不必再读一遍。
const COPIES: [&str; 2] = ["index.html", "print.html"];

words!(
    BLOCKS,
    "p li ul ol td th tr table h1 h2 h3 h4 h5 h6 pre div details summary figure \
    figcaption blockquote dl dt dd main br hr svg text title desc"
);

pattern!(
    GAP,
    r"[\p{Han}，。、；：？！“”‘’（）《》…]\s*\n\s*[\p{Han}，。、；：？！“”‘’（）《》…]"
);

/// 两个汉字之间没有换行：Chromium 会把它显示成空格。
pub fn gaps(site: &Site) -> Verdict {
    let mut verdict = Verdict::default();
    for (_, page) in site.chapters() {
        for (index, node) in page
            .prose()
            .filter(|(_, node)| BLOCKS.contains(node.name()))
        {
            let line = line(page, index);
            if line.trim().is_empty() || node.within(SVG | CODE) {
                continue;
            }
            let gap = GAP.find(&line).map(|gap| gap.as_str());
            verdict.check(
                gap.is_none(),
                &page.path,
                format!("汉字之间有换行：{gap:?}"),
            );
        }
    }
    verdict
}

/// 一个块自己的文字；里面的块断开它，代码和公式各算一个字。
fn line(page: &Page, block: usize) -> String {
    let mut line = String::new();
    let mut index = block + 1;
    while index < page.nodes[block].end {
        let node = &page.nodes[index];
        if let Some(text) = node.text() {
            line.push_str(text);
        } else if BLOCKS.contains(node.name()) {
            line.push('\0');
            index = node.end;
            continue;
        } else if node.within(CODE | FORMULA) {
            line.push('码');
            index = node.end;
            continue;
        }
        index += 1;
    }
    line
}

/// 每个标题都有写明的、以页名开头的 id；一页一个一级标题，级别不跳。
pub fn headings(site: &Site) -> Verdict {
    pattern!(EXPLICIT, r"(?m)^#{1,6} .*\{#([a-z0-9][a-z0-9-]*)\}\s*$");
    let mut explicit: BTreeMap<String, HashSet<String>> = BTreeMap::new();
    let mut texts: Vec<(String, &str)> = Vec::new();
    for chapter in &site.built.chapters {
        texts.push((chapter.page(), &chapter.included));
    }
    if let Some(text) = site.built.sources.get("404.md") {
        texts.push(("404.html".to_string(), text));
    }
    for (page, text) in texts {
        let prose = without_fences(text);
        let ids = EXPLICIT
            .captures_iter(&prose)
            .map(|found| found[1].to_string())
            .collect();
        explicit.insert(page, ids);
    }
    let mut verdict = Verdict::default();
    for page in &site.pages {
        let Some(explicit) = explicit.get(&page.path) else {
            continue;
        };
        let prefix = page.path.trim_end_matches(".html").replace('/', "-");
        let mut last = 0;
        for (index, node) in page.prose() {
            let Some(level) = level(node.name()) else {
                continue;
            };
            let text = page.text(index);
            let id = node.attr("id").unwrap_or("");
            let path = &page.path;
            verdict.check(
                explicit.contains(id),
                path,
                format!("标题“{text}”没有写明 id"),
            );
            // 断言清单的标题是断言的编号，以它的章开头。
            let own = prefix.trim_start_matches("ledger-");
            let named = [&prefix, own]
                .iter()
                .any(|stem| id == *stem || id.starts_with(&format!("{stem}-")));
            verdict.check(named, path, format!("标题“{text}”的 id“{id}”不以页名开头"));
            verdict.check(!text.trim().is_empty(), path, format!("标题 {id} 是空的"));
            let nested = if last == 0 {
                level == 1
            } else {
                level > 1 && level <= last + 1
            };
            verdict.check(
                nested,
                path,
                format!("标题“{text}”的级别是 {level}，前一个是 {last}"),
            );
            last = level;
        }
        verdict.require(last > 0, &page.path, "没有标题");
    }
    verdict
}

fn level(name: &str) -> Option<usize> {
    let digit = name.strip_prefix('h')?;
    digit.parse().ok().filter(|level| (1..=6).contains(level))
}

/// 去掉代码块的 Markdown，行数不变。
fn without_fences(text: &str) -> String {
    let mut inside = false;
    let mut prose = String::new();
    for line in text.lines() {
        let fence = line.starts_with("```");
        if !inside && !fence {
            prose.push_str(line);
        }
        inside ^= fence;
        prose.push('\n');
    }
    prose
}

/// 每个代码块都有语言、不是空的，个数与源文件一致。
pub fn fences(site: &Site) -> Verdict {
    let mut verdict = Verdict::default();
    for (chapter, page) in site.chapters() {
        let marks = chapter
            .included
            .lines()
            .filter(|line| line.starts_with("```"))
            .count();
        let mut blocks = 0;
        for (index, _) in page.prose().filter(|(_, node)| node.name() == "pre") {
            blocks += 1;
            let text = page.text(index);
            let first = text.lines().next().unwrap_or("").to_string();
            let code = page.children(index).find(|(_, node)| node.name() == "code");
            let language = code.is_some_and(|(_, node)| {
                node.classes()
                    .any(|class| class.len() > 9 && class.starts_with("language-"))
            });
            verdict.check(language, &page.path, format!("代码块没有语言：{first}"));
            verdict.check(!text.trim().is_empty(), &page.path, "代码块是空的");
        }
        let told = format!("有 {blocks} 个代码块，源文件里有 {marks} 道围栏");
        verdict.require(2 * blocks == marks, &page.path, told);
    }
    verdict
}

pattern!(DELIMITER, r"^\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$");

/// 表格每一行的格数都与表头一致：多出的格会被丢掉，缺的会补成空白。
pub fn tables(site: &Site) -> Verdict {
    let mut verdict = Verdict::default();
    for (chapter, page) in site.chapters() {
        let prose = without_fences(&chapter.processed);
        let lines: Vec<&str> = prose.lines().collect();
        let mut tables = 0;
        for at in 1..lines.len() {
            let delimiter = lines[at].contains('|') && DELIMITER.is_match(lines[at]);
            if !delimiter || cells(lines[at - 1]) != cells(lines[at]) {
                continue;
            }
            tables += 1;
            for row in lines[at + 1..]
                .iter()
                .take_while(|row| !row.trim().is_empty())
            {
                let (found, wanted) = (cells(row), cells(lines[at]));
                let told = format!("一行有 {found} 格，表头有 {wanted} 格：{row}");
                verdict.check(found == wanted, &page.path, told);
            }
        }
        let mut shown = 0;
        for (index, node) in page.prose() {
            match node.name() {
                "table" => shown += 1,
                "th" | "td" => {
                    let text = page.text(index);
                    verdict.check(
                        !text.trim().is_empty(),
                        &page.path,
                        "表格里有空格子",
                    );
                }
                _ => {}
            }
        }
        let told = format!("网页有 {shown} 张表，源文件有 {tables} 张");
        verdict.require(shown == tables, &page.path, told);
    }
    verdict
}

/// 一行 Markdown 表格的格数；只有没被反斜杠转义的竖线分格。
fn cells(row: &str) -> usize {
    let row = row.trim();
    let mut bars = 0;
    let mut escaped = false;
    let mut last_is_bar = false;
    for c in row.chars() {
        last_is_bar = c == '|' && !escaped;
        bars += usize::from(last_is_bar);
        escaped = c == '\\' && !escaped;
    }
    bars + 1 - usize::from(row.starts_with('|')) - usize::from(last_is_bar)
}

/// 没有隐藏的代码行，网页里没有，搜索索引里也没有。
pub fn hidden(site: &Site) -> Verdict {
    let mut verdict = Verdict::default();
    let bodies = search_index(site)
        .map(|index| index.bodies)
        .unwrap_or_default();
    for (chapter, page) in site.chapters() {
        for (index, node) in page.prose() {
            verdict.seen += 1;
            if node.has_class("boring") {
                let text = page.text(index);
                verdict.fault(&page.path, format!("隐藏的代码行：{}", text.trim()));
            }
        }
        let mut rust = false;
        for line in chapter.included.lines() {
            if let Some(language) = line.strip_prefix("```") {
                rust = language.starts_with("rust");
            }
            let secret = line.trim_start().strip_prefix("# ").unwrap_or("").trim();
            let secret = Some(secret).filter(|secret| rust && !secret.is_empty());
            let indexed =
                |secret: &&str| bodies.iter().any(|body| body.contains(*secret));
            if let Some(secret) = secret.filter(indexed) {
                verdict.fault(&page.path, format!("搜索索引里有隐藏的行：{secret}"));
            }
        }
    }
    verdict
}

/// 图：文件都用上且只用一次，id 带图名，有标题、描述和说明。
pub fn figures(site: &Site) -> Verdict {
    let mut verdict = Verdict::default();
    let mut used = Vec::new();
    for (_, page) in site.chapters() {
        for (index, node) in page.prose() {
            let figure = page.ancestors(index).find(|up| up.name() == "figure");
            if node.name() == "figure" {
                let caption =
                    page.children(index).find(|(_, n)| n.name() == "figcaption");
                let said =
                    caption.is_some_and(|(at, _)| !page.text(at).trim().is_empty());
                verdict.check(said, &page.path, "图没有说明");
            }
            if node.name() != "svg" || node.within(FORMULA) {
                continue;
            }
            let name = figure.and_then(|figure| figure.attr("id")).unwrap_or("");
            verdict.check(
                name.starts_with("fig_"),
                &page.path,
                "图不在有名字的 figure 里",
            );
            figure_of(page, index, name, &mut verdict);
            used.push((name.to_string(), page.path.clone()));
        }
    }
    let files: BTreeSet<String> = site
        .built
        .files
        .keys()
        .filter_map(|path| path.strip_prefix("figures/")?.strip_suffix(".svg"))
        .map(str::to_string)
        .collect();
    for file in &files {
        let times = used.iter().filter(|(name, _)| name == file).count();
        verdict.require(
            times == 1,
            "figures",
            format!("{file}.svg 引入了 {times} 次"),
        );
    }
    for (name, page) in &used {
        verdict.require(
            files.contains(name),
            page,
            format!("没有图 figures/{name}.svg"),
        );
    }
    verdict
}

fn figure_of(page: &Page, svg: usize, name: &str, verdict: &mut Verdict) {
    let node = &page.nodes[svg];
    let mut ids: Vec<&str> = page
        .inside(svg)
        .iter()
        .filter_map(|n| n.attr("id"))
        .collect();
    ids.extend(node.attr("id"));
    for id in &ids {
        let prefixed = id.starts_with(&format!("{name}_"));
        verdict.check(
            prefixed,
            &page.path,
            format!("图 {name} 的 id {id} 不以图名开头"),
        );
    }
    for part in ["title", "desc"] {
        let told = page.children(svg).find(|(_, child)| child.name() == part);
        let said = told.is_some_and(|(at, _)| !page.text(at).trim().is_empty());
        verdict.check(said, &page.path, format!("图 {name} 的 {part} 是空的"));
        let label = told
            .and_then(|(_, child)| child.attr("id"))
            .unwrap_or("没有 id");
        let labels = node.attr("aria-labelledby").unwrap_or("");
        let named = labels.split_ascii_whitespace().any(|one| one == label);
        verdict.check(
            named,
            &page.path,
            format!("图 {name} 的 aria-labelledby 没有指到 {part}"),
        );
    }
    // img 里的链接读屏软件读不到：有链接的图是 group。
    let linked = page.inside(svg).iter().any(|n| n.name() == "a");
    let role = if linked { "group" } else { "img" };
    verdict.check(
        node.attr("role") == Some(role),
        &page.path,
        format!("图 {name} 的 role 不是 {role}"),
    );
    let boxed = node.attr("viewBox").or(node.attr("viewbox")).is_some();
    verdict.check(boxed, &page.path, format!("图 {name} 没有 viewBox"));
}

/// 正文里只有认识的元素，文字都在段落里，折叠块有标题。
pub fn elements(site: &Site) -> Verdict {
    let mut verdict = Verdict::default();
    for page in &site.pages {
        for (index, node) in page.nodes.iter().enumerate() {
            if !node.within(MAIN) || node.within(FORMULA) {
                continue;
            }
            let parent = page.nodes[node.parent].name();
            match &node.kind {
                Kind::Text(text) => {
                    let loose = LOOSE.contains(parent) && !text.trim().is_empty();
                    let told = if loose { text.trim() } else { "" };
                    verdict.check(
                        !loose,
                        &page.path,
                        format!("文字不在段落里：{told}"),
                    );
                }
                Kind::Element(name, _) => {
                    let known = ELEMENTS.contains(name.as_str());
                    verdict.check(known, &page.path, format!("不认识的元素 <{name}>"));
                }
            }
            if node.name() == "details" {
                let first = page
                    .children(index)
                    .find(|(_, child)| child.text().is_none());
                let named = first.is_some_and(|(at, child)| {
                    child.name() == "summary" && !page.text(at).trim().is_empty()
                });
                verdict.check(named, &page.path, "折叠块没有标题");
            }
            if node.has_class("blockquote-tag") {
                verdict.fault(&page.path, "提示块的标题是英文");
            }
        }
    }
    verdict
}

// 这些元素里的文字应当在更里面的段落里。
words!(
    LOOSE,
    "main details figure ul ol dl table thead tbody tr blockquote svg g"
);

words!(
    ELEMENTS,
    "main a abbr b blockquote br cite code dd del details dfn div dl dt em \
    figcaption figure h1 h2 h3 h4 h5 h6 hr i kbd li mark ol p pre q samp section \
    small span strong sub summary sup table tbody td th thead tr ul circle \
    clipPath defs desc ellipse g line linearGradient marker path pattern polygon \
    polyline rect stop svg text title tspan use"
);

/// 每页的 id 不重复、不为空；各章之间也不重复，打印页才不会改名。
pub fn ids(site: &Site) -> Verdict {
    let mut verdict = Verdict::default();
    let mut owner: BTreeMap<&str, &str> = BTreeMap::new();
    for page in &site.pages {
        let mut seen = HashSet::new();
        for (_, node) in page.elements() {
            let Some(id) = node.attr("id") else { continue };
            let sound = !id.is_empty() && !id.contains(char::is_whitespace);
            verdict.check(sound, &page.path, format!("id“{id}”是空的或有空白"));
            verdict.check(seen.insert(id), &page.path, format!("id“{id}”重复"));
            if node.within(MAIN) && site.chapter(page).is_some() {
                let first = owner.entry(id).or_insert(&page.path);
                let told = format!("id“{id}”在 {first} 也有");
                verdict.check(*first == page.path, &page.path, told);
            }
        }
    }
    let Some(print) = site.ids.get("print.html") else {
        return verdict;
    };
    for (id, page) in owner {
        verdict.check(print.contains(id), page, format!("打印页没有 id“{id}”"));
    }
    verdict
}

/// 一处引用：所在的网页、目标、是不是读者点的链接。
struct Reference<'a> {
    page: &'a str,
    base: String,
    target: String,
    clicked: bool,
}

/// 网页里的全部引用。
fn references(page: &Page) -> Vec<Reference<'_>> {
    pattern!(URL, r#"url\(\s*["']?([^"')]*)["']?\s*\)"#);
    let mut found = Vec::new();
    let base = page.elements().find(|(_, node)| node.name() == "base");
    let base = base
        .and_then(|(_, node)| node.attr("href"))
        .unwrap_or(&page.path);
    let folder = base.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut add = |target: &str, clicked: bool| {
        found.push(Reference {
            page: &page.path,
            base: folder.trim_start_matches('/').to_string(),
            target: target.to_string(),
            clicked,
        });
    };
    for (index, node) in page.elements() {
        if node.within(FORMULA) {
            continue; // 公式里不许有链接，另有规则
        }

        for (key, value) in node.attrs() {
            let clicked = node.name() == "a" && !node.within(SVG);
            match key.as_str() {
                "href" | "xlink:href" if node.name() != "base" => add(value, clicked),
                "src" | "srcset" | "poster" | "data" | "action" | "formaction"
                | "ping" => {
                    add(value, false);
                }
                _ => {}
            }
            let mute = matches!(key.as_str(), "href" | "title" | "alt" | "content");
            if !mute && value.contains("url(") {
                URL.captures_iter(value).for_each(|url| add(&url[1], false));
            }
        }
        if node.name() == "style" {
            let text = page.text(index);
            URL.captures_iter(&text).for_each(|url| add(&url[1], false));
        }
    }
    found
}

/// 目标在书外时给出它的协议。
fn scheme(target: &str) -> Option<&str> {
    pattern!(SCHEME, r"^\s*([A-Za-z][A-Za-z0-9+.-]*):|^\s*(//)");
    let found = SCHEME.captures(target)?;
    found.get(1).or(found.get(2)).map(|part| part.as_str())
}

/// 书内的引用都有着落：文件在，片段也在。
pub fn links(site: &Site) -> Verdict {
    let mut verdict = Verdict::default();
    for page in &site.pages {
        for reference in references(page) {
            if scheme(&reference.target).is_none() {
                let fault =
                    resolve(site, page, &reference.base, &reference.target).err();
                let told = fault.clone().unwrap_or_default();
                verdict.check(fault.is_none(), &page.path, told);
            }
        }
        for (index, node) in page.prose() {
            let label = [
                "aria-labelledby",
                "aria-describedby",
                "aria-controls",
                "for",
            ];
            for id in label.iter().filter_map(|key| node.attr(key)) {
                for id in id.split_ascii_whitespace() {
                    let known = site.ids[&page.path].contains(id);
                    verdict.check(known, &page.path, format!("没有 id“{id}”可指"));
                }
            }
            if node.name() == "a" {
                let drawn =
                    page.inside(index).iter().any(|inner| inner.name() == "svg");
                let named = drawn || !page.text(index).trim().is_empty();
                let told = match node.attr("href") {
                    Some(target) if !named => Some(format!("链接没有文字：{target}")),
                    None if node.attr("id").is_none() => Some("链接没有目标".into()),
                    _ => None,
                };
                verdict.check(told.is_none(), &page.path, told.unwrap_or_default());
            }
        }
    }
    pattern!(HREF, r#"href=\\?"([^"\\]*)\\?""#);
    for (path, bytes) in &site.built.files {
        if !(path.starts_with("toc-") && path.ends_with(".js")) {
            continue;
        }
        for link in HREF.captures_iter(&String::from_utf8_lossy(bytes)) {
            let found = site.built.files.contains_key(&link[1]);
            verdict.check(found, path, format!("目录指向没有的 {}", &link[1]));
        }
    }
    verdict
}

/// 按浏览器的规则找到引用的文件和片段。
fn resolve(site: &Site, page: &Page, base: &str, target: &str) -> Result<(), String> {
    let (address, fragment) = match target.split_once('#') {
        Some((address, fragment)) => (address, Some(fragment)),
        None => (target, None),
    };
    let address = address.split('?').next().unwrap_or("");
    let mut file = if address.is_empty() {
        page.path.clone()
    } else {
        let mut parts: Vec<&str> =
            base.split('/').filter(|part| !part.is_empty()).collect();
        if address.starts_with('/') {
            parts.clear();
        }
        for part in address.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop().ok_or_else(|| format!("{target} 在书外"))?;
                }
                part => parts.push(part),
            }
        }
        percent_decoded(&parts.join("/"))
    };
    if address.ends_with('/') {
        file.push_str("/index.html");
    }
    if target.trim().is_empty() || fragment == Some("") {
        return Err(format!("空的链接“{target}”"));
    }
    if !site.built.files.contains_key(&file) {
        return Err(format!("{target} 指向没有的文件 {file}"));
    }
    match fragment.map(percent_decoded) {
        Some(id) if !site.ids.get(&file).is_some_and(|ids| ids.contains(&id)) => {
            Err(format!("{target} 指向 {file} 里没有的 id“{id}”"))
        }
        _ => Ok(()),
    }
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let code = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) if first == b'%' => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// 不从书外取任何东西；指到书外的只有读者点的 https 链接。
pub fn outside(site: &Site) -> Verdict {
    let mut verdict = Verdict::default();
    for page in &site.pages {
        for reference in references(page) {
            let allowed = match (scheme(&reference.target), reference.clicked) {
                (None, _) | (Some("https"), true) => true,
                (Some("data"), false) => true,
                (Some(_), _) => false,
            };
            let told = format!("从书外取 {}", reference.target);
            verdict.check(allowed, reference.page, told);
        }
        let elements = page.elements().filter(|(_, node)| !node.within(FORMULA));
        for (_, node) in elements {
            let events = node.attrs().iter().find(|(key, _)| key.starts_with("on"));
            let refresh = node.attr("http-equiv") == Some("refresh");
            verdict.check(
                events.is_none() && !refresh,
                &page.path,
                "元素里有脚本或跳转",
            );
        }
    }
    pattern!(ADDRESS, r"(?:https?:)?//[\w.-]+\.\w[\w/.]*");
    for folder in ["theme", "src"] {
        for (path, text) in own_scripts(&site.built.root.join(folder)) {
            let found = ADDRESS.find_iter(&text).find(|found| {
                !found.as_str().starts_with("http://www.w3.org") // SVG 的名字空间
            });
            verdict.check(
                found.is_none(),
                &path,
                format!("脚本里有书外的地址 {found:?}"),
            );
        }
    }
    verdict
}

/// 自己写的脚本和模板。
fn own_scripts(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let ext = path.extension().and_then(|ext| ext.to_str()).unwrap_or("");
        if path.is_dir() {
            found.extend(own_scripts(&path));
        } else if ["js", "hbs"].contains(&ext) {
            let text = std::fs::read_to_string(&path).expect("UTF-8");
            found.push((path.display().to_string(), text));
        }
    }
    found
}

/// 样式表引用的文件都在书里。
pub fn styles(site: &Site) -> Verdict {
    pattern!(
        IN_CSS,
        r#"url\(\s*["']?([^"')]*)["']?\s*\)|@import\s+["']([^"']*)"#
    );
    pattern!(COMMENT, r"(?s)/\*.*?\*/");
    let mut verdict = Verdict::default();
    for (path, bytes) in &site.built.files {
        if !path.ends_with(".css") {
            continue;
        }
        let text = String::from_utf8_lossy(bytes);
        let text = COMMENT.replace_all(&text, "");
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let page = Page {
            path: path.clone(),
            nodes: Vec::new(),
        };
        for found in IN_CSS.captures_iter(&text) {
            let target = found
                .get(1)
                .or(found.get(2))
                .map_or("", |part| part.as_str());
            let fault = match scheme(target) {
                Some("data") => None,
                Some(_) => Some(format!("从书外取 {target}")),
                None => resolve(site, &page, folder, target).err(),
            };
            verdict.check(fault.is_none(), path, fault.clone().unwrap_or_default());
        }
    }
    verdict
}

/// 目录里的每一章都有源文件和网页，每个源文件都在目录里。
pub fn summary(site: &Site) -> Verdict {
    let mut verdict = Verdict::default();
    let listed: HashSet<&str> = site
        .built
        .chapters
        .iter()
        .map(|chapter| chapter.path.as_str())
        .collect();
    for missing in site.missing() {
        verdict.fault(&missing, "没有建成网页");
    }
    for path in &listed {
        let found = site.built.sources.contains_key(*path);
        verdict.check(found, path, "目录里有，文件没有");
    }
    for path in site
        .built
        .sources
        .keys()
        .filter(|path| !["SUMMARY.md", "404.md"].contains(&path.as_str()))
    {
        verdict.check(listed.contains(path.as_str()), path, "不在目录里");
    }
    pattern!(ENTRY, r"(?m)^\s*(?:- )?\[[^\]]*\]\(([^)]*)\)");
    let entries = ENTRY
        .captures_iter(&site.built.sources["SUMMARY.md"])
        .count();
    let told = format!("目录有 {entries} 条，书有 {} 章", listed.len());
    verdict.check(entries == listed.len(), "SUMMARY.md", told);
    verdict
}

/// 插件看到的公式与源文件里的一样多：落单的反引号或美元号会让它看漏。
pub fn source(site: &Site) -> Verdict {
    let mut verdict = Verdict::default();
    for (chapter, page) in site.chapters() {
        let Some(text) = site.built.sources.get(&chapter.path) else {
            continue;
        };
        let (inline, display) = match count_formulas(text) {
            Ok(counts) => counts,
            Err(paragraph) => {
                verdict.fault(&page.path, format!("记号不成对：{paragraph}"));
                continue;
            }
        };
        let displayed = chapter
            .formulas
            .iter()
            .filter(|(display, _)| *display)
            .count();
        let found = (chapter.formulas.len() - displayed, displayed);
        let told = format!("源文件有公式 {:?}，插件看到 {found:?}", (inline, display));
        verdict.require(found == (inline, display), &page.path, told);
        verdict.seen += inline + display;
    }
    verdict
}

/// 按 Markdown 的规则数一页里的公式（行内的，独立的）：代码块和代码段先去掉，
/// 公式和代码段不跨段落。不成对的段落是错误。
fn count_formulas(text: &str) -> Result<(usize, usize), String> {
    let (mut inline, mut display) = (0, 0);
    for paragraph in without_fences(text).split("\n\n") {
        let prose = without_code_spans(paragraph).ok_or(paragraph)?;
        let prose = prose.replace("\\$", "");
        let blocks = prose.matches("$$").count();
        let marks = prose.replace("$$", "").matches('$').count();
        if blocks % 2 + marks % 2 > 0 {
            return Err(paragraph.trim().to_string());
        }
        display += blocks / 2;
        inline += marks / 2;
    }
    Ok((inline, display))
}

fn without_code_spans(paragraph: &str) -> Option<String> {
    let mut prose = String::new();
    let mut rest = paragraph;
    while let Some(start) = rest.find('`') {
        let (before, code) = rest.split_at(start);
        let ticks = code.chars().take_while(|c| *c == '`').count();
        let mut from = ticks;
        loop {
            let open = from + code[from..].find('`')?;
            let run = code[open..].chars().take_while(|c| *c == '`').count();
            from = open + run;
            if run == ticks {
                break;
            }
        }
        prose.push_str(before);
        rest = &code[from..];
    }
    prose.push_str(rest);
    Some(prose)
}

/// 搜索索引里的文字和地址。
struct SearchIndex {
    bodies: Vec<String>,
    addresses: Vec<String>,
}

fn search_index(site: &Site) -> Result<SearchIndex, String> {
    let index = crate::search_text::index(&site.built.files)?;
    let addresses: Vec<String> = serde_json::from_value(index["doc_urls"].clone())
        .map_err(|error| error.to_string())?;
    let documents = &index["index"]["documentStore"]["docs"];
    let bodies = (0..addresses.len())
        .map(|at| {
            documents[at.to_string()]["body"]
                .as_str()
                .map(str::to_string)
        })
        .collect::<Option<Vec<String>>>()
        .ok_or("索引里缺正文")?;
    Ok(SearchIndex { bodies, addresses })
}

/// 搜索索引覆盖每一页，地址都有着落。
pub fn search(site: &Site) -> Verdict {
    let mut verdict = Verdict::default();
    let index = match search_index(site) {
        Ok(index) => index,
        Err(fault) => {
            verdict.fault("搜索索引", fault);
            return verdict;
        }
    };
    let root = Page {
        path: "index.html".to_string(),
        nodes: Vec::new(),
    };
    let mut pages = HashSet::new();
    for address in &index.addresses {
        let fault = resolve(site, &root, "", address).err();
        verdict.check(
            fault.is_none(),
            "搜索索引",
            fault.clone().unwrap_or_default(),
        );
        pages.insert(address.split('#').next().unwrap_or("").to_string());
    }
    for chapter in &site.built.chapters {
        let page = chapter.page();
        verdict.check(pages.contains(&page), "搜索索引", format!("里没有 {page}"));
    }
    verdict
}

/// 每页声明中文，标题不空，各章的标题不同。
pub fn titles(site: &Site) -> Verdict {
    let mut verdict = Verdict::default();
    let mut known = HashSet::new();
    for page in &site.pages {
        let lang = page.nodes.first().and_then(|node: &Node| node.attr("lang"));
        verdict.check(
            lang == Some("zh-CN"),
            &page.path,
            format!("语言是 {lang:?}"),
        );
        if site.chapter(page).is_some() {
            let title = page.elements().find(|(_, node)| node.name() == "title");
            let title = title.map(|(at, _)| page.text(at)).unwrap_or_default();
            let fresh = !title.trim().is_empty() && known.insert(title.clone());
            verdict.check(fresh, &page.path, format!("标题“{title}”是空的或重复"));
        }
    }
    verdict
}

/// 全书守一条规则；一处也没有看不算守。
fn obeys(rule: Rule) {
    let Verdict { seen, faults } = rule(site());
    let (count, shown) = (faults.len(), &faults[..faults.len().min(30)]);
    assert!(faults.is_empty(), "{count} 处不对：\n{}", shown.join("\n"));
    assert!(seen > 0, "一处也没有看");
}

macro_rules! every_rule {
    ($($rule:ident),* $(,)?) => {
        mod book {
            $(#[test] fn $rule() { super::obeys(super::$rule); })*

            #[test]
            fn every_rule_is_applied() {
                let applied = [$(stringify!($rule)),*];
                let rules: Vec<&str> = super::RULES.iter().map(|(name, _)| *name).collect();
                assert_eq!(applied[..], rules[..]);
            }
        }
    };
}

every_rule!(
    complaints, elements, fences, figures, formulas, gaps, headings, hidden, ids,
    links, marks, outside, search, source, styles, summary, tables, titles,
);
