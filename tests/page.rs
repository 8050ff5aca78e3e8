//! 一张网页的平铺表示：节点按先序排成一列，检查只需从头走一遍。

use crate::rendered::{Built, Chapter};
use scraper::{ElementRef, Html};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{LazyLock, Mutex};
use std::thread;

/// 节点在 `main` 里，是作者写的内容。
pub const MAIN: u8 = 1;
/// 节点在代码里。
pub const CODE: u8 = 2;
/// 节点在公式里。
pub const FORMULA: u8 = 4;
/// 节点在图里。
pub const SVG: u8 = 8;
/// 节点在脚本、样式或模板里，读者看不见。
pub const UNSEEN: u8 = 16;

/// 元素或文字。
pub enum Kind {
    /// 一段文字。
    Text(String),
    /// 一个元素：名字和属性。
    Element(String, Vec<(String, String)>),
}

/// 一个节点。
pub struct Node {
    /// 元素或文字。
    pub kind: Kind,
    /// 所在的区域，几个常数之和。
    pub zone: u8,
    /// 父元素的序号；根的父元素是它自己。
    pub parent: usize,
    /// 子树之后第一个节点的序号。
    pub end: usize,
}

impl Node {
    /// 元素的名字；文字的名字是空的。
    pub fn name(&self) -> &str {
        match &self.kind {
            Kind::Text(_) => "",
            Kind::Element(name, _) => name,
        }
    }

    /// 属性的值。
    pub fn attr(&self, name: &str) -> Option<&str> {
        let (_, value) = self.attrs().iter().find(|(key, _)| key == name)?;
        Some(value)
    }

    /// 全部属性。
    pub fn attrs(&self) -> &[(String, String)] {
        match &self.kind {
            Kind::Text(_) => &[],
            Kind::Element(_, attrs) => attrs,
        }
    }

    /// 有没有这个类。
    pub fn has_class(&self, class: &str) -> bool {
        self.classes().any(|one| one == class)
    }

    /// 全部的类。
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.attr("class").unwrap_or("").split_ascii_whitespace()
    }

    /// 是不是在这些区域里。
    pub fn within(&self, zone: u8) -> bool {
        self.zone & zone != 0
    }

    /// 文字节点的文字。
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            Kind::Element(..) => None,
        }
    }
}

/// 一张网页。
pub struct Page {
    /// 相对书的根的路径，如 `ledger/why.html`。
    pub path: String,
    /// 全部节点，先序。
    pub nodes: Vec<Node>,
}

impl Page {
    /// 像浏览器那样解析一张网页。
    pub fn parse(path: &str, html: &str) -> Self {
        let mut nodes = Vec::new();
        flatten(Html::parse_document(html).root_element(), 0, 0, &mut nodes);
        let path = path.to_string();
        Self { path, nodes }
    }

    /// 全部元素及其序号。
    pub fn elements(&self) -> impl Iterator<Item = (usize, &Node)> {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter(|(_, node)| node.text().is_none())
    }

    /// `main` 里的元素及其序号。
    pub fn content(&self) -> impl Iterator<Item = (usize, &Node)> {
        self.elements().filter(|(_, node)| node.within(MAIN))
    }

    /// `main` 里、公式之外的元素及其序号。
    pub fn prose(&self) -> impl Iterator<Item = (usize, &Node)> {
        self.content().filter(|(_, node)| !node.within(FORMULA))
    }

    /// 元素的全部后代。
    pub fn inside(&self, index: usize) -> &[Node] {
        &self.nodes[index + 1..self.nodes[index].end]
    }

    /// 元素的子节点及其序号。
    pub fn children(&self, index: usize) -> impl Iterator<Item = (usize, &Node)> {
        let range = index + 1..self.nodes[index].end;
        range
            .map(|child| (child, &self.nodes[child]))
            .filter(move |(_, node)| node.parent == index)
    }

    /// 元素里的全部文字。
    pub fn text(&self, index: usize) -> String {
        self.inside(index).iter().filter_map(Node::text).collect()
    }

    /// 祖先，由近及远。
    pub fn ancestors(&self, mut index: usize) -> impl Iterator<Item = &Node> {
        std::iter::from_fn(move || {
            let parent = self.nodes[index].parent;
            if parent == index {
                return None;
            }
            index = parent;
            Some(&self.nodes[parent])
        })
    }

    /// 页上全部的 id，次序与重复都保留。
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.elements().filter_map(|(_, node)| node.attr("id"))
    }
}

/// 把一个元素和它的后代接到节点表的后面。
fn flatten(element: ElementRef, parent: usize, outer: u8, nodes: &mut Vec<Node>) {
    let value = element.value();
    let attrs: Vec<_> = value
        .attrs()
        .map(|(key, value)| (key.to_string(), value.to_string()))
        .collect();
    let zone = outer | zone(value.name(), &attrs);
    let kind = Kind::Element(value.name().to_string(), attrs);
    let index = nodes.len();
    let end = index + 1;
    nodes.push(Node {
        kind,
        zone,
        parent,
        end,
    });
    for child in element.children() {
        if let Some(inner) = ElementRef::wrap(child) {
            flatten(inner, index, zone, nodes);
        } else if let Some(text) = child.value().as_text() {
            let kind = Kind::Text(text.to_string());
            let end = nodes.len() + 1;
            nodes.push(Node {
                kind,
                zone,
                parent: index,
                end,
            });
        }
    }
    nodes[index].end = nodes.len();
}

fn zone(name: &str, attrs: &[(String, String)]) -> u8 {
    let katex = || {
        attrs.iter().any(|(key, value)| {
            key == "class"
                && value.split_ascii_whitespace().any(|class| class == "katex")
        })
    };
    match name {
        "main" => MAIN,
        "code" | "pre" | "kbd" | "samp" => CODE,
        "script" | "style" | "template" | "noscript" => UNSEEN,
        "svg" => SVG,
        "span" if katex() => FORMULA,
        _ => 0,
    }
}

/// 建好又解析过的书。
pub struct Site {
    /// 建好的书。
    pub built: Built,
    /// 全部网页，按路径排序。
    pub pages: Vec<Page>,
    /// 每页的 id。
    pub ids: HashMap<String, HashSet<String>>,
}

impl Site {
    /// 解析一本建好的书；两个线程分头解析。
    pub fn new(built: Built) -> Self {
        let queue: Mutex<Vec<_>> = Mutex::new(
            built
                .files
                .iter()
                .filter(|(path, _)| path.ends_with(".html"))
                .collect(),
        );
        let done = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    loop {
                        let next = queue.lock().expect("没有恐慌").pop();
                        let Some((path, bytes)) = next else { break };
                        let page = Page::parse(path, &String::from_utf8_lossy(bytes));
                        done.lock().expect("没有恐慌").push(page);
                    }
                });
            }
        });
        let mut pages = done.into_inner().expect("没有恐慌");
        pages.sort_by(|a, b| a.path.cmp(&b.path));
        let ids = pages
            .iter()
            .map(|page| (page.path.clone(), page.ids().map(str::to_string).collect()))
            .collect();
        Self { built, pages, ids }
    }

    /// 这一页对应的章；封面、打印页、目录页和 404 没有。
    pub fn chapter(&self, page: &Page) -> Option<&Chapter> {
        let mut chapters = self.built.chapters.iter();
        chapters.find(|chapter| chapter.page() == page.path)
    }

    /// 各章与它的网页。
    pub fn chapters(&self) -> impl Iterator<Item = (&Chapter, &Page)> {
        let pages = self.pages.iter();
        pages.filter_map(|page| Some((self.chapter(page)?, page)))
    }

    /// 没有网页的章。
    pub fn missing(&self) -> BTreeSet<String> {
        let pages = self.built.chapters.iter().map(Chapter::page);
        pages
            .filter(|page| !self.built.files.contains_key(page))
            .collect()
    }
}

/// 本书，每次测试只解析一次。
pub fn site() -> &'static Site {
    static SITE: LazyLock<Site> =
        LazyLock::new(|| Site::new(crate::rendered::book().clone()));
    &SITE
}
