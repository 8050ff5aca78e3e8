//! 黄金值文件的读法：保持次序，记下哪些参数用过。

use crate::error::{Error, Result};
use ndarray::{ArrayD, IxDyn};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;
use std::marker::PhantomData;

/// 为什么一个用例没有比较完。
#[derive(Debug)]
pub enum Trouble {
    /// 规则、参数或输出还不认识。
    Unsupported(String),
    /// 用例不合格式，或者计算出错。
    Bad(Error),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Bad(error)
    }
}

/// 还不认识的东西。
pub fn unsupported<T>(why: impl Into<String>) -> std::result::Result<T, Trouble> {
    Err(Trouble::Unsupported(why.into()))
}

/// 不合格式的用例。
pub fn bad<T>(why: impl Into<String>) -> Result<T> {
    Err(Error::BadData(why.into()))
}

/// 保持次序、拒绝重名的 JSON 对象。
#[derive(Debug)]
pub struct Ordered<T>(Vec<(String, T)>);

impl<T> Default for Ordered<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Ordered<T> {
    fn get(&self, name: &str) -> Option<&T> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Ordered<T> {
    fn deserialize<D: Deserializer<'de>>(
        deserializer: D,
    ) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_map(OrderedVisitor(PhantomData))
    }
}

struct OrderedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OrderedVisitor<T> {
    type Value = Ordered<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("一个对象")
    }

    fn visit_map<A: MapAccess<'de>>(
        self,
        mut map: A,
    ) -> std::result::Result<Ordered<T>, A::Error> {
        let mut ordered = Ordered::default();
        while let Some((name, value)) = map.next_entry::<String, T>()? {
            if ordered.get(&name).is_some() {
                return Err(A::Error::custom(format!("“{name}”出现了两次")));
            }
            ordered.0.push((name, value));
        }
        Ok(ordered)
    }
}

/// 一列数，标量写成一个数也可以。
#[derive(Debug, serde::Deserialize)]
#[serde(untagged)]
enum Flat {
    Many(Vec<f64>),
    One(f64),
}

/// 一个黄金值文件。
#[derive(Debug, serde::Deserialize)]
pub struct File {
    /// 种类。
    pub kind: String,
    /// 用例。
    pub cases: Vec<Case>,
}

/// 一个用例：参数、输入（名字以 `in_` 开头）和输出。
#[derive(Debug, serde::Deserialize)]
pub struct Case {
    /// 名字，只用来打印。
    pub name: String,
    /// 说明；一条流里几次抽取的次序写在这里。
    #[serde(default)]
    pub what: String,
    #[serde(default)]
    source: Ordered<Value>,
    #[serde(default)]
    dtype: Ordered<String>,
    #[serde(default)]
    parameters: Ordered<Value>,
    #[serde(default)]
    shapes: Ordered<Vec<usize>>,
    #[serde(default)]
    values: Ordered<Flat>,
    #[serde(skip)]
    used: RefCell<BTreeSet<String>>,
}

/// 读一个文件的文字。
pub fn parse(text: &str) -> Result<File> {
    serde_json::from_str(text).map_err(|why| Error::BadData(why.to_string()))
}

/// 要求有这个参数或数组。
pub fn need<T>(name: &str, found: Option<T>) -> Result<T> {
    found.ok_or_else(|| Error::BadData(format!("缺少 {name}")))
}

/// 要求两个尺寸相等。
pub fn agree(name: &str, expected: usize, found: usize) -> Result<()> {
    if expected == found {
        return Ok(());
    }
    bad(format!("{name} 应当是 {expected}，却是 {found}"))
}

impl Case {
    /// 参数的原样；没有或是 `null` 时是 `None`。读过就算用过。
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.used.borrow_mut().insert(name.to_string());
        let value = self.parameters.get(name)?;
        (!value.is_null()).then_some(value)
    }

    fn typed<'a, T>(
        &'a self,
        name: &str,
        kind: &str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<T>> {
        match self.value(name) {
            None => Ok(None),
            Some(value) => match read(value) {
                Some(found) => Ok(Some(found)),
                None => bad(format!("参数 {name} 应当是{kind}，却是 {value}")),
            },
        }
    }

    /// 非负整数参数。
    pub fn size(&self, name: &str) -> Result<Option<usize>> {
        self.typed(name, "非负整数", as_size)
    }

    /// 整数参数。
    pub fn position(&self, name: &str) -> Result<Option<i64>> {
        self.typed(name, "整数", Value::as_i64)
    }

    /// 实数参数。
    pub fn number(&self, name: &str) -> Result<Option<f64>> {
        self.typed(name, "数", Value::as_f64)
    }

    /// 文字参数。
    pub fn text(&self, name: &str) -> Result<Option<&str>> {
        self.typed(name, "文字", Value::as_str)
    }

    /// 真假参数。
    pub fn flag(&self, name: &str) -> Result<Option<bool>> {
        self.typed(name, "真假", Value::as_bool)
    }

    /// 一列非负整数参数。
    pub fn sizes(&self, name: &str) -> Result<Option<Vec<usize>>> {
        self.typed(name, "一列非负整数", |value| {
            value.as_array()?.iter().map(as_size).collect()
        })
    }

    /// 一列任意的值。
    pub fn list(&self, name: &str) -> Result<Option<&[Value]>> {
        self.typed(name, "一列值", |value| {
            Some(value.as_array()?.as_slice())
        })
    }

    /// 产生这个用例的函数名，取自 `source`。
    pub fn callable(&self) -> &str {
        let callable = self.source.get("callable");
        callable.and_then(Value::as_str).unwrap_or_default()
    }

    /// 一个数组；形状与个数要相符，类型要认识。读过就算用过。
    pub fn array(&self, name: &str) -> Result<Option<ArrayD<f64>>> {
        self.used.borrow_mut().insert(name.to_string());
        let Some(flat) = self.values.get(name) else {
            return Ok(None);
        };
        let values = match flat {
            Flat::Many(values) => values.clone(),
            Flat::One(value) => vec![*value],
        };
        let integers = match self.dtype(name) {
            "float32" | "float64" => false,
            "int64" => true,
            other => return bad(format!("{name} 的类型 {other} 不认识")),
        };
        if integers && values.iter().any(|value| value.fract() != 0.0) {
            return bad(format!("{name} 应当是整数"));
        }
        let shape = need(&format!("{name} 的形状"), self.shapes.get(name))?;
        let size = shape.iter().try_fold(1_usize, |a, &b| a.checked_mul(b));
        if size != Some(values.len()) {
            let len = values.len();
            return bad(format!("{name} 有 {len} 个数，形状却是 {shape:?}"));
        }
        ArrayD::from_shape_vec(IxDyn(shape), values)
            .map(Some)
            .map_err(|why| Error::BadData(format!("{name}：{why}")))
    }

    /// 数组的类型，没写就是 `float64`。
    pub fn dtype(&self, name: &str) -> &str {
        self.dtype.get(name).map_or("float64", String::as_str)
    }

    /// 输出的名字，次序与文件相同。
    pub fn outputs(&self) -> Vec<&str> {
        let names = self.values.0.iter().map(|(name, _)| name.as_str());
        names.filter(|name| !name.starts_with("in_")).collect()
    }

    /// 有没有这个数组。
    pub fn has(&self, name: &str) -> bool {
        self.values.get(name).is_some()
    }

    /// 从未读过的参数、输入和输出。
    pub fn unread(&self) -> Vec<&str> {
        let used = self.used.borrow();
        let parameters = self.parameters.0.iter().map(|(name, _)| name.as_str());
        let arrays = self.values.0.iter().map(|(name, _)| name.as_str());
        let names = parameters.chain(arrays);
        names.filter(|name| !used.contains(*name)).collect()
    }

    /// 只要求报错的用例不必读输入。
    pub fn skip_inputs(&self) {
        let inputs = self.values.0.iter().map(|(name, _)| name.clone());
        let mut used = self.used.borrow_mut();
        used.extend(inputs.filter(|name| name.starts_with("in_")));
    }
}

fn as_size(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|value| usize::try_from(value).ok())
}

/// 整数数组变成 `i64`。
pub fn integers(name: &str, array: &ArrayD<f64>) -> Result<Vec<i64>> {
    let far = 2.0_f64.powi(53);
    let whole = |&value: &f64| value.fract() == 0.0 && value.abs() <= far;
    if !array.iter().all(whole) {
        return bad(format!("{name} 里有不是整数的数"));
    }
    Ok(array.iter().map(|&value| value as i64).collect())
}
