//! 公式的记号：切分、比较片段、计算没有字母的等式。

/// 一个 TeX 记号：命令、数字串或单个字符；带着原文的起止字节。
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tok {
    pub text: String,
    pub start: usize,
    pub end: usize,
}

/// 分成几行写的公式，开头与结尾的环境。
const LINES: [&str; 2] = [r"\begin{aligned}", r"\end{aligned}"];

/// 切成记号，丢掉空白、只管间距的命令和只管分行的记号。
pub fn tokenize(tex: &str) -> Vec<Tok> {
    let [open, close] = LINES;
    let inner = tex.strip_prefix(open);
    let Some(inner) = inner.and_then(|rest| rest.strip_suffix(close)) else {
        return cut(tex);
    };
    let mut result = cut(inner);
    result.retain(|tok| !matches!(tok.text.as_str(), "&" | "\\\\"));
    for tok in &mut result {
        tok.start += open.len();
        tok.end += open.len();
    }
    result
}

fn cut(tex: &str) -> Vec<Tok> {
    let bytes = tex.as_bytes();
    let mut result = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        if bytes[at] == b'\\' {
            at += 1;
            if at < bytes.len() && bytes[at].is_ascii_alphabetic() {
                while at < bytes.len() && bytes[at].is_ascii_alphabetic() {
                    at += 1;
                }
            } else if at < bytes.len() {
                at += tex[at..].chars().next().map_or(1, char::len_utf8);
            }
        } else if bytes[at].is_ascii_digit() {
            while at < bytes.len()
                && (bytes[at].is_ascii_digit()
                    || bytes[at] == b'.'
                        && bytes.get(at + 1).is_some_and(u8::is_ascii_digit))
            {
                at += 1;
            }
        } else {
            at += tex[at..].chars().next().map_or(1, char::len_utf8);
        }
        let text = &tex[start..at];
        if !text.trim().is_empty()
            && !matches!(text, "\\," | "\\;" | "\\!" | "\\:" | "\\ ")
        {
            result.push(Tok {
                text: text.to_string(),
                start,
                end: at,
            });
        }
    }
    result
}

/// 记号的文字。
pub fn texts(tex: &str) -> Vec<String> {
    tokenize(tex).into_iter().map(|tok| tok.text).collect()
}

/// `piece` 的记号是不是 `whole` 的记号里连续的一段。
pub fn contains(whole: &[String], piece: &[String]) -> bool {
    !piece.is_empty() && whole.windows(piece.len()).any(|window| window == piece)
}

/// 没有字母时允许出现的命令：它们是运算，不是记号。
const OPERATIONS: [&str; 24] = [
    "\\sin", "\\cos", "\\ln", "\\exp", "\\sqrt", "\\frac", "\\times", "\\cdot",
    "\\approx", "\\pi", "\\left", "\\right", "\\lvert", "\\rvert", "\\quad", "\\qquad",
    "\\le", "\\ge", "\\dots", "\\ne", "\\%", "\\ast", "\\lVert", "\\rVert",
];

/// 公式里有没有字母（运算命令不算）。
pub fn has_letters(tex: &str) -> bool {
    tokenize(tex).iter().any(|tok| {
        let first = tok.text.chars().next().unwrap_or(' ');
        if first == '\\' {
            tok.text.len() > 1
                && tok.text.as_bytes()[1].is_ascii_alphabetic()
                && !OPERATIONS.contains(&tok.text.as_str())
        } else {
            first.is_alphabetic()
        }
    })
}

/// 检查一个没有字母的公式：每个等号右边的数必须等于左边的值舍入到它的位数。
///
/// 没有等号的公式不需要检查；读不懂的公式是错误。
pub fn check_numeric(tex: &str) -> Result<(), String> {
    let toks = tokenize(tex);
    let mut sides: Vec<Vec<Tok>> = vec![Vec::new()];
    for tok in toks {
        if matches!(tok.text.as_str(), "=" | "\\approx") {
            sides.push(Vec::new());
        } else {
            sides.last_mut().expect("至少一边").push(tok);
        }
    }
    if sides.len() < 2 {
        return Ok(());
    }
    let mut previous: Option<f64> = None;
    for side in &sides {
        let value = evaluate(side).ok_or_else(|| format!("算不出来的式子：{tex}"))?;
        if let Some(left) = previous {
            let digits = decimals(side);
            let shown = round_to(value, digits);
            let expected = round_to(left, digits);
            if shown != expected {
                return Err(format!("等式不成立：{tex}（左边是 {left}）"));
            }
        }
        previous = Some(value);
    }
    Ok(())
}

/// 一边里小数位数最少的数有几位小数。
fn decimals(side: &[Tok]) -> usize {
    side.iter()
        .filter(|tok| tok.text.as_bytes()[0].is_ascii_digit())
        .map(|tok| {
            tok.text
                .split_once('.')
                .map_or(0, |(_, fraction)| fraction.len())
        })
        .max()
        .unwrap_or(0)
}

fn round_to(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    if text
        .trim_start_matches('-')
        .chars()
        .all(|c| c == '0' || c == '.')
    {
        text.trim_start_matches('-').to_string()
    } else {
        text
    }
}

fn evaluate(toks: &[Tok]) -> Option<f64> {
    let texts: Vec<&str> = toks
        .iter()
        .map(|tok| tok.text.as_str())
        .filter(|text| !matches!(*text, "\\left" | "\\right" | "\\quad" | "\\qquad"))
        .collect();
    let mut parser = Parser { texts, at: 0 };
    let value = parser.sum()?;
    (parser.at == parser.texts.len()).then_some(value)
}

struct Parser<'a> {
    texts: Vec<&'a str>,
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> &str {
        self.texts.get(self.at).copied().unwrap_or("")
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.peek() == text;
        if found {
            self.at += 1;
        }
        found
    }

    fn sum(&mut self) -> Option<f64> {
        let mut total = if self.eat("-") || self.eat("−") {
            -self.product()?
        } else {
            self.product()?
        };
        loop {
            if self.eat("+") {
                total += self.product()?;
            } else if self.eat("-") || self.eat("−") {
                total -= self.product()?;
            } else {
                return Some(total);
            }
        }
    }

    fn product(&mut self) -> Option<f64> {
        let mut total = self.power()?;
        loop {
            if self.eat("\\times") || self.eat("\\cdot") {
                total *= self.power()?;
            } else if self.eat("/") {
                total /= self.power()?;
            } else if matches!(
                self.peek(),
                "\\pi" | "(" | "\\sin" | "\\cos" | "\\sqrt" | "\\frac"
            ) {
                total *= self.power()?;
            } else {
                return Some(total);
            }
        }
    }

    fn power(&mut self) -> Option<f64> {
        let base = self.atom()?;
        if self.eat("^") {
            let exponent = self.group()?;
            return Some(base.powf(exponent));
        }
        Some(base)
    }

    fn group(&mut self) -> Option<f64> {
        if self.eat("{") {
            let value = self.sum()?;
            return self.eat("}").then_some(value);
        }
        self.atom()
    }

    fn atom(&mut self) -> Option<f64> {
        let text = self.peek().to_string();
        self.at += 1;
        match text.as_str() {
            "(" => {
                let value = self.sum()?;
                self.eat(")").then_some(value)
            }
            "{" => {
                let value = self.sum()?;
                self.eat("}").then_some(value)
            }
            "\\lvert" => {
                let value = self.sum()?;
                self.eat("\\rvert").then_some(value.abs())
            }
            "-" | "−" => Some(-self.atom()?),
            "\\pi" => Some(std::f64::consts::PI),
            "\\frac" => Some(self.group()? / self.group()?),
            "\\sqrt" => Some(self.group()?.sqrt()),
            "\\sin" | "\\cos" | "\\ln" | "\\exp" => {
                let argument = self.power()?;
                Some(match text.as_str() {
                    "\\sin" => argument.sin(),
                    "\\cos" => argument.cos(),
                    "\\ln" => argument.ln(),
                    _ => argument.exp(),
                })
            }
            number => number.parse().ok(),
        }
    }
}

#[test]
fn numeric_equations_must_hold() {
    for good in [
        r"0.9 \times 0.2 + 0.1 \times 0.8 = 0.26",
        r"\frac{1}{3} \approx 0.333",
        r"\sqrt{512} \approx 22.63",
        r"2\pi \approx 6.283",
        r"\cos(1) \approx 0.540 \approx 0.54",
        r"-0.5 \times 2 = -1.0",
        r"10^{-2} = 0.01",
        r"\begin{aligned} 2 \times 3 &+ 4 \times 5 \\ &= 26 \end{aligned}",
    ] {
        assert_eq!(check_numeric(good), Ok(()), "{good}");
    }
    for bad in [
        r"0.9 \times 0.2 + 0.1 \times 0.8 = 0.27",
        r"2\pi \approx 6.284",
        r"1 + = 2",
        r"\begin{aligned} 2 \times 3 &+ 4 \times 5 \\ &= 27 \end{aligned}",
        r"\cos(1) \approx 0.540 \approx 0.55",
    ] {
        assert!(check_numeric(bad).is_err(), "{bad}");
    }
}

#[test]
fn pieces_are_aligned_on_tokens() {
    let whole = texts(r"p_{n,2i} = \sin(n\,\theta_i)");
    assert!(contains(&whole, &texts(r"p_{n,2i}")));
    assert!(contains(&whole, &texts(r"\sin(n \theta_i)")));
    assert!(!contains(&whole, &texts(r"p_{n,3i}")));
    assert!(!contains(&whole, &texts("")));
    assert!(!contains(&texts(r"x = 12"), &texts(r"x = 1")));
    let lines = tokenize(r"\begin{aligned} x &= y \\ &= 12 \end{aligned}");
    let found: Vec<&str> = lines.iter().map(|tok| tok.text.as_str()).collect();
    assert_eq!(found, ["x", "=", "y", "=", "12"]);
    assert_eq!((lines[4].start, lines[4].end), (29, 31));
}
