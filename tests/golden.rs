//! 黄金值：每个文件的每个数都比较过，改动任何一个数都会被发现。

use posenc::golden::{FileReport, Verdict, check_file, check_text};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// 文件、用例数、比较的数。
const FILES: [(&str, usize, usize); 9] = [
    ("learned.json", 7, 78),
    ("lesson_listings.json", 13, 949),
    ("numpy_rng.json", 14, 1279),
    ("rope_float64_frequencies.json", 4, 100),
    ("rope_half_split.json", 10, 1914),
    ("rope_interleaved.json", 18, 1466),
    ("sinusoidal.json", 45, 3172),
    ("sinusoidal_errors.json", 3, 3),
    ("sinusoidal_large_positions.json", 5, 248),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden")
}

fn load(name: &str) -> Value {
    let text = std::fs::read_to_string(folder().join(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// 只含一个用例的文件。
fn alone(kind: &str, case: &Value) -> Value {
    json!({"kind": kind, "cases": [case]})
}

/// 去掉印出的文字，免得每次都读旁边的文件。
fn without_text(case: &Value) -> Value {
    let mut case = case.clone();
    case["parameters"].as_object_mut().unwrap().remove("stdout");
    case
}

fn check(kind: &str, case: &Value) -> FileReport {
    check_text(&alone(kind, case).to_string(), Some(&folder())).unwrap()
}

fn verdict(kind: &str, case: &Value) -> Verdict {
    check(kind, case).cases[0].verdict.clone()
}

fn failed(kind: &str, case: &Value) -> String {
    match verdict(kind, case) {
        Verdict::Failed(why) => why,
        other => panic!("{} 应当不通过：{other:?}", case["name"]),
    }
}

fn unsupported(kind: &str, case: &Value) -> String {
    match verdict(kind, case) {
        Verdict::Unsupported(why) => why,
        other => panic!("{} 应当暂不支持：{other:?}", case["name"]),
    }
}

/// 每个种类的每个用例。
fn each_case(mut visit: impl FnMut(&str, &Value)) {
    for (name, ..) in FILES {
        let file = load(name);
        let kind = file["kind"].as_str().unwrap();
        for case in file["cases"].as_array().unwrap() {
            visit(kind, case);
        }
    }
}

fn case_named(file: &str, name: &str) -> Value {
    let file = load(file);
    let cases = file["cases"].as_array().unwrap();
    cases.iter().find(|c| c["name"] == name).unwrap().clone()
}

#[test]
fn every_file_passes_and_nothing_is_skipped() {
    for (name, cases, values) in FILES {
        let report = check_file(&folder().join(name)).unwrap();
        let lines: Vec<String> = report.cases.iter().map(|c| c.line()).collect();
        assert!(report.passed(), "{name}\n{}", lines.join("\n"));
        assert_eq!(report.unsupported(), 0, "{name}\n{}", lines.join("\n"));
        assert_eq!(
            (report.cases.len(), report.compared()),
            (cases, values),
            "{name}"
        );
        for case in &report.cases {
            assert!(case.compared > 0 && case.error <= case.limit, "{case:?}");
        }
    }
}

#[test]
fn every_output_is_compared() {
    each_case(|kind, case| {
        let report = check(kind, &without_text(case));
        let values = case["values"].as_object().unwrap();
        let outputs = values.iter().filter(|(name, _)| !name.starts_with("in_"));
        let count: usize = outputs.map(|(_, v)| v.as_array().unwrap().len()).sum();
        let refusals = usize::from(case["parameters"].get("error").is_some());
        assert_eq!(report.compared(), count + refusals, "{}", case["name"]);
    });
}

/// 每个输出改动几处（首、尾和中间隔几个一处），每次都要不通过。
#[test]
fn a_changed_value_is_rejected() {
    let mut tried = 0;
    each_case(|kind, case| {
        let case = without_text(case);
        let outputs = case["values"].as_object().unwrap().clone();
        for (name, values) in
            outputs.iter().filter(|(name, _)| !name.starts_with("in_"))
        {
            let len = values.as_array().unwrap().len();
            for place in (0..len).step_by(1 + len / 5).chain([len - 1]) {
                let old = values[place].as_f64().unwrap();
                let mut changed = case.clone();
                changed["values"][name][place] = json!(old + 1.0);
                failed(kind, &changed);
                tried += 1;
            }
        }
    });
    assert!(tried > 900, "{tried}");
}

/// 界限是紧的：差一点点的数也不通过。
#[test]
fn limits_are_tight() {
    let nudge = |file: &str, name: &str, output: &str, place: usize, by: f64| {
        let mut case = case_named(file, name);
        let kind = load(file)["kind"].as_str().unwrap().to_string();
        let old = case["values"][output][place].as_f64().unwrap();
        case["values"][output][place] = json!(old + by);
        (verdict(&kind, &case), old)
    };
    for (file, name, output, place, limit) in [
        ("lesson_listings.json", "lesson_3", "Q_rope", 30, 1e-12),
        ("lesson_listings.json", "lesson_1", "W_V", 0, 1e-12),
        ("learned.json", "bert_2_3_start4", "output", 0, 1e-12),
        ("rope_half_split.json", "llama_gqa", "k", 1, 1.2e-6),
        ("rope_half_split.json", "llama_gqa", "inv_freq", 3, 1e-9),
        (
            "sinusoidal.json",
            "keras_4_6_base100_start37_float64",
            "table",
            3,
            4.2e-14,
        ),
        ("sinusoidal.json", "xlm_interleaved_7_6", "table", 7, 7e-7),
        (
            "rope_float64_frequencies.json",
            "diffusers_8_theta10000_0_5_9_lin4_ntk1",
            "cos",
            6,
            1.2e-14,
        ),
    ] {
        for by in [1.5 * limit, -1.5 * limit] {
            let (verdict, _) = nudge(file, name, output, place, by);
            assert!(matches!(verdict, Verdict::Failed(_)), "{name} {output}");
        }
        let (verdict, _) = nudge(file, name, output, place, 0.3 * limit);
        assert_eq!(verdict, Verdict::Passed, "{name} {output}");
    }
    let mut case = case_named("numpy_rng.json", "randn_seed_1");
    let old = case["values"]["randn"][0].as_f64().unwrap();
    case["values"]["randn"][0] = json!(old.next_up());
    assert_eq!(verdict("numpy_rng", &case), Verdict::Passed);
    case["values"]["randn"][0] = json!(old.next_up().next_up());
    failed("numpy_rng", &case);
    let mut case = case_named("numpy_rng.json", "random_sample_seed_42");
    let old = case["values"]["uniform"][3].as_f64().unwrap();
    case["values"]["uniform"][3] = json!(old.next_down());
    failed("numpy_rng", &case);
}

#[test]
fn every_printed_digit_counts() {
    let file = load("lesson_listings.json");
    let folder = tempfile::tempdir().unwrap();
    let mut tried = 0;
    for n in 1..=3 {
        let name = format!("lesson_{n}_stdout.txt");
        let text = std::fs::read_to_string(self::folder().join(&name)).unwrap();
        let one = alone("lesson_listings", &file["cases"][n - 1]).to_string();
        let passed = |text: &str| {
            std::fs::write(folder.path().join(&name), text).unwrap();
            check_text(&one, Some(folder.path())).unwrap().passed()
        };
        assert!(passed(&text), "{name}");
        for (place, digit) in text.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
            let other = if digit == '9' { "8" } else { "9" };
            let changed = format!("{}{other}{}", &text[..place], &text[place + 1..]);
            assert!(!passed(&changed), "{name}：{place} 处的 {digit}");
            tried += 1;
        }
        for (place, _) in text.match_indices(" -") {
            let rest = &text[place + 2..];
            if rest.starts_with(|c: char| c.is_ascii_digit()) {
                let changed = format!("{} {rest}", &text[..place]);
                assert!(!passed(&changed), "{name}：{place} 处的负号");
                tried += 1;
            }
        }
        assert!(!passed(&format!("{text} 7\n")));
    }
    assert!(tried > 800, "{tried}");
    let gone = check_text(
        &alone("lesson_listings", &file["cases"][0]).to_string(),
        Some(Path::new("/nowhere")),
    );
    assert_eq!(gone.unwrap().unsupported(), 1);
}

#[test]
fn unknown_kinds_and_empty_files_are_errors() {
    let one = case_named("learned.json", "bert_4_3_start0");
    for (text, says) in [
        (alone("alibi", &one).to_string(), "不认识的黄金值种类“alibi”，只接受：lesson"),
        (json!({"kind": "learned", "cases": []}).to_string(), "一个用例也没有"),
        (json!({"kind": "learned"}).to_string(), "missing field `cases`"),
        (json!({"cases": [one]}).to_string(), "missing field `kind`"),
        ("[1, 2".to_string(), "数据不合格式"),
        (String::new(), "数据不合格式"),
        (
            r#"{"kind": "learned", "cases": [{"name": "n", "values": {"a": [NaN]}}]}"#
                .to_string(),
            "数据不合格式",
        ),
        (
            r#"{"kind": "learned", "cases": [{"name": "n", "values": {"a": [1], "a": [2]}}]}"#
                .to_string(),
            "“a”出现了两次",
        ),
    ] {
        let error = check_text(&text, None).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    let error = check_file(Path::new("/nowhere/x.json"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("读不到 /nowhere/x.json"), "{error}");
    let nothing = json!({"name": "n", "parameters": {"seed": 1}});
    assert!(failed("numpy_rng", &nothing).contains("没有比较任何数值"));
    assert!(!check("numpy_rng", &nothing).passed());
}

#[test]
fn what_is_not_known_is_never_passed() {
    each_case(|kind, case| {
        let mut odd = case.clone();
        odd["parameters"]["surprise"] = json!(3);
        assert!(unsupported(kind, &odd).contains("没有用到：surprise"));
        let mut odd = case.clone();
        odd["values"]["surprise"] = json!([1.0]);
        odd["shapes"]["surprise"] = json!([1]);
        assert!(unsupported(kind, &odd).contains("不认识的输出：surprise"));
        if case["parameters"].get("error").is_none() {
            let mut odd = case.clone();
            odd["values"]["in_surprise"] = json!([1.0]);
            assert!(unsupported(kind, &odd).contains("没有用到：in_surprise"));
        }
        for rule in ["layout", "frequencies", "axes"] {
            if case["parameters"].get(rule).is_some() {
                let mut odd = case.clone();
                odd["parameters"][rule] = json!("another rule");
                unsupported(kind, &odd);
            }
        }
    });
}

/// 拿走或改坏一个参数、一个输入、一个形状：从不 panic，也从不通过。
#[test]
fn broken_cases_fail_with_a_reason() {
    let may_go = [
        "odd_d",
        "padding_idx",
        "start_index",
        "offset",
        "start",
        "heads",
        "kv_heads",
        "partial_rotary_factor",
        "rotary_pct",
        "head_dim",
        "rotary_dim",
        "theta",
        "listing",
        "substitutions",
        "stdout",
        "count",
        "shape",
        "d_model",
        "d_k",
        "seq_len",
        "max_position_embeddings",
        "num_embeddings",
        "cache_length",
        "linear_factor",
        "ntk_factor",
        "interpolate_factor",
        "scale",
        "layout",
        "downscale_freq_shift",
        "flip_sin_to_cos",
        "query_offset",
        "base",
        "error",
        "max_positions",
        "layer_norm_eps",
        "axes",
        "xpos_scale_base",
        "theta_rescale_factor",
        "frequencies",
    ];
    let mut turn = 0;
    each_case(|kind, case| {
        for (name, value) in case["parameters"].as_object().unwrap() {
            let mut without = case.clone();
            without["parameters"].as_object_mut().unwrap().remove(name);
            let gone = verdict(kind, &without);
            assert!(
                gone != Verdict::Passed || may_go.contains(&name.as_str()),
                "没有 {name} 也通过：{}",
                case["name"]
            );
            if value.is_null() || ["listing", "stdout"].contains(&name.as_str()) {
                continue;
            }
            let mut wrong = case.clone();
            wrong["parameters"][name] = json!({"odd": [1]});
            assert_ne!(verdict(kind, &wrong), Verdict::Passed, "{name}");
            let odd = [json!(-1), json!(1e300), json!(0.5), json!(u64::MAX)];
            wrong["parameters"][name] = odd[turn % odd.len()].clone();
            verdict(kind, &wrong);
            turn += 1;
        }
        for (name, value) in case["values"].as_object().unwrap() {
            let mut without = case.clone();
            without["values"].as_object_mut().unwrap().remove(name);
            if name.starts_with("in_") {
                assert_ne!(verdict(kind, &without), Verdict::Passed, "{name}");
            }
            let mut short = case.clone();
            short["values"][name].as_array_mut().unwrap().pop();
            assert!(failed(kind, &short).contains("形状"), "{name}");
            let mut flat = case.clone();
            flat["shapes"][name] = json!([1, value.as_array().unwrap().len(), 1, 1, 1]);
            let flat = verdict(kind, &flat);
            assert!(flat != Verdict::Passed || kind == "numpy_rng", "{name}");
            let mut huge = case.clone();
            huge["shapes"][name] = json!([u64::MAX, u64::MAX]);
            failed(kind, &huge);
            let mut shapeless = case.clone();
            shapeless["shapes"].as_object_mut().unwrap().remove(name);
            failed(kind, &shapeless);
            let mut typed = case.clone();
            typed["dtype"][name] = json!("complex64");
            failed(kind, &typed);
            if !name.starts_with("in_") {
                let mut wild = case.clone();
                wild["values"][name][0] = json!(1e308);
                failed(kind, &without_text(&wild));
            }
        }
    });
}

#[test]
fn the_program_says_so_with_its_exit_code() {
    let golden = env!("CARGO_BIN_EXE_golden");
    let run = |files: &[PathBuf]| {
        let output = Command::new(golden).args(files).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.stderr.is_empty());
        (output.status.success(), text)
    };
    let files: Vec<PathBuf> = FILES.iter().map(|f| folder().join(f.0)).collect();
    let (good, text) = run(&files);
    assert!(good, "{text}");
    let (cases, values) = (119, 9209);
    let last =
        format!("全部：{cases} 个用例，{values} 个数，暂不支持 0 个用例：通过\n");
    assert!(text.ends_with(&last), "{text}");
    assert_eq!(text.matches("  通过\n").count(), cases);
    assert!(text.contains("numpy_rng.json：合计 14 个用例：通过 14，不通过 0，暂不支持 0；比较了 1279 个数\n"));
    let temporary = tempfile::tempdir().unwrap();
    let write = |name: &str, value: &Value| {
        let path = temporary.path().join(name);
        std::fs::write(&path, value.to_string()).unwrap();
        path
    };
    let mut case = case_named("learned.json", "bert_4_3_start0");
    let known = write("known.json", &alone("learned", &case));
    case["parameters"]["surprise"] = json!(1);
    let odd = write("odd.json", &alone("learned", &case));
    case["values"]["rows"][0] = json!(77.0);
    let wrong = write("wrong.json", &alone("learned", &case));
    let strange = write("strange.json", &alone("alibi", &case));
    assert!(run(std::slice::from_ref(&known)).0);
    let (good, text) = run(&[known.clone(), odd]);
    assert!(
        good && text.contains(" 暂不支持 没有用到：surprise\n"),
        "{text}"
    );
    assert!(
        text.ends_with("2 个用例，48 个数，暂不支持 1 个用例：通过\n"),
        "{text}"
    );
    let (good, text) = run(&[wrong, known.clone()]);
    assert!(
        !good && text.contains(" 不通过   rows 的第 0 个数应当是 77，算出 -0.229\n")
    );
    assert!(text.ends_with("：不通过\n"), "{text}");
    assert!(!run(&[strange, known]).0);
    assert!(!run(&[temporary.path().join("none.json")]).0);
    assert!(!run(&[]).0);
}

/// 手写的用例：公开的文件里没有的尺寸、参数与搭配，数值用公式逐字算出。
mod by_hand {
    use super::{check, failed, unsupported, verdict};
    use posenc::golden::{Verdict, check_text};
    use posenc::rng::LegacyRandom;
    use serde_json::{Value, json};

    const HALF: &str = "half-split: pairs (j, j + rot/2); out[j] = x[j] cos - x[j+rot/2] sin, out[j+rot/2] = x[j+rot/2] cos + x[j] sin";
    const ADJACENT: &str = "interleaved: pairs (2j, 2j+1); out[2j] = x[2j] cos - x[2j+1] sin, out[2j+1] = x[2j+1] cos + x[2j] sin";
    const PAPER: &str = "w_i = base ** (-2i / d)";
    const SIN_COS: &str = "concatenated: all sines, then all cosines";
    const INTERLEAVED: &str =
        "interleaved: column 2i = sin(p * w_i), column 2i+1 = cos(p * w_i)";

    type Array<'a> = (&'a str, &'a [usize], Vec<f64>);

    fn case(parameters: Value, arrays: &[Array]) -> Value {
        let mut case = json!({"name": "手写", "parameters": parameters});
        for (name, shape, values) in arrays {
            case["shapes"][*name] = json!(shape);
            case["values"][*name] = json!(values);
        }
        case
    }

    fn passes(kind: &str, case: &Value) {
        assert_eq!(verdict(kind, case), Verdict::Passed, "{case}");
    }

    fn fails(kind: &str, case: &Value, says: &str) {
        let why = failed(kind, case);
        assert!(why.contains(says), "{why}");
    }

    fn with(case: &Value, name: &str, value: Value) -> Value {
        let mut case = case.clone();
        case["parameters"][name] = value;
        case
    }

    fn theta(width: usize, base: f64) -> Vec<f64> {
        let exponent = |i| -2.0 * i as f64 / width as f64;
        (0..width / 2).map(|i| base.powf(exponent(i))).collect()
    }

    /// 四个分量，位置 `p`。
    fn turned(
        x: &[f64],
        p: f64,
        theta: &[f64],
        pairs: [(usize, usize); 2],
    ) -> Vec<f64> {
        let mut y = x.to_vec();
        for (&(a, b), theta) in pairs.iter().zip(theta) {
            let (sin, cos) = (p * theta).sin_cos();
            y[a] = x[a] * cos - x[b] * sin;
            y[b] = x[a] * sin + x[b] * cos;
        }
        y
    }

    const SPLIT: [(usize, usize); 2] = [(0, 2), (1, 3)];
    const NEXT: [(usize, usize); 2] = [(0, 1), (2, 3)];

    fn sample(rows: usize) -> Vec<f64> {
        (0..4 * rows).map(|n| (n as f64 * 1.7).sin()).collect()
    }

    fn rotated(
        x: &[f64],
        at: &[f64],
        theta: &[f64],
        pairs: [(usize, usize); 2],
    ) -> Vec<f64> {
        let rows = x.chunks(4).zip(at.iter().cycle());
        rows.flat_map(|(x, p)| turned(x, *p, theta, pairs))
            .collect()
    }

    #[test]
    fn frequencies_under_two_factors() {
        let theta = theta(4, 300.0);
        let columns = |f: fn(f64) -> f64| {
            let angles = [1.0, 5.0]
                .iter()
                .flat_map(|p| theta.iter().map(move |t| p * t / 2.0));
            angles.map(f).collect::<Vec<f64>>()
        };
        let parameters = json!({"rotary_dim": 4, "base": 100.0, "ntk_factor": 3.0,
            "linear_factor": 2.0});
        let arrays = [
            ("in_positions", &[2][..], vec![1.0, 5.0]),
            ("cos", &[2, 2], columns(f64::cos)),
            ("sin", &[2, 2], columns(f64::sin)),
        ];
        let one = case(parameters, &arrays);
        passes("rope_float64_frequencies", &one);
        fails(
            "rope_float64_frequencies",
            &with(&one, "linear_factor", json!(0)),
            "factor = 0",
        );
        fails(
            "rope_float64_frequencies",
            &with(&one, "ntk_factor", json!(-1)),
            "base = -100",
        );
    }

    #[test]
    fn cosines_follow_the_columns_of_the_layout() {
        let (a, b) = (2.0_f64.cos(), 0.2_f64.cos());
        let cos = |layout: &str, values: Vec<f64>| {
            let parameters = json!({"head_dim": 4, "base": 100.0, "layout": layout});
            let arrays = [
                ("in_positions", &[1, 1][..], vec![2.0]),
                ("cos", &[1, 1, 4], values),
            ];
            case(parameters, &arrays)
        };
        let kind = "rope_interleaved";
        passes(kind, &cos(HALF, vec![a, b, a, b]));
        passes(kind, &cos(ADJACENT, vec![a, a, b, b]));
        passes(
            kind,
            &cos("interleaved in, half-split out", vec![a, b, a, b]),
        );
        let mut three = cos(HALF, vec![a, b, a]);
        three["shapes"]["cos"] = json!([1, 1, 3]);
        unsupported(kind, &three);
        let mut none = cos(HALF, vec![a, b, a, b]);
        none["parameters"].as_object_mut().unwrap().remove("layout");
        unsupported(kind, &none);
    }

    fn x_case(
        layout: &str,
        batch: usize,
        seq: usize,
        at: Option<(&[usize], Vec<f64>)>,
    ) -> Value {
        let theta = theta(4, 100.0);
        let x = sample(batch * seq);
        let flat = at.as_ref().map_or(vec![0.0], |(_, at)| at.clone());
        let pairs = if layout == HALF { SPLIT } else { NEXT };
        let shape = [batch, 1, seq, 4];
        let mut arrays = vec![
            ("in_x", &shape[..], x.clone()),
            ("x", &shape[..], rotated(&x, &flat, &theta, pairs)),
        ];
        if let Some((shape, at)) = at {
            arrays.push(("in_positions", shape, at));
        }
        let parameters = json!({"head_dim": 4, "base": 100.0, "layout": layout});
        case(parameters, &arrays)
    }

    #[test]
    fn positions_in_every_shape() {
        let kind = "rope_half_split";
        for layout in [HALF, ADJACENT] {
            passes(
                kind,
                &x_case(layout, 2, 3, Some((&[3], vec![1.0, 5.0, -2.0]))),
            );
            passes(
                kind,
                &x_case(layout, 2, 3, Some((&[1, 3], vec![1.0, 5.0, -2.0]))),
            );
            let six = vec![1.0, 5.0, -2.0, 7.0, 0.0, 900.0];
            passes(kind, &x_case(layout, 2, 3, Some((&[2, 3], six))));
            passes(kind, &x_case(layout, 1, 1, Some((&[1], vec![3.0]))));
        }
        for (shape, len) in [
            (&[2][..], 2),
            (&[1, 2], 2),
            (&[2, 2], 4),
            (&[3, 3], 9),
            (&[4], 4),
        ] {
            let odd = x_case(HALF, 2, 3, Some((shape, vec![1.0; len])));
            fails(kind, &odd, "in_positions 的形状");
        }
        for (position, says) in [(0.5, "不是整数"), (1e16, "不是整数")] {
            let odd = x_case(HALF, 1, 1, Some((&[1], vec![position])));
            fails(kind, &odd, says);
        }
        let stated = x_case(HALF, 1, 1, Some((&[1], vec![3.0])));
        for name in ["offset", "query_offset"] {
            let why = unsupported(kind, &with(&stated, name, json!(3)));
            assert!(why.contains("同时给出"), "{why}");
        }
        assert!(unsupported(kind, &x_case(HALF, 1, 2, None)).contains("没有给出位置"));
        let mut none = stated.clone();
        none["parameters"].as_object_mut().unwrap().remove("layout");
        assert!(unsupported(kind, &none).contains("没有给出配对方式"));
    }

    #[test]
    fn axes_are_named() {
        let kind = "rope_half_split";
        let one = x_case(HALF, 1, 1, Some((&[1], vec![3.0])));
        for good in ["batch, heads, seq, head_dim", "batch, seq, heads, head_dim"] {
            passes(kind, &with(&one, "axes", json!(good)));
        }
        for odd in [
            "heads, batch, seq, head_dim",
            "seq, batch, heads, head_dim",
            "batch, head_dim, seq, heads",
            "batch, heads, seq, width",
            "batch, heads, length, head_dim",
            "batch, seq, head_dim",
        ] {
            unsupported(kind, &with(&one, "axes", json!(odd)));
        }
        let mut flat = with(&one, "axes", json!("batch, seq, head_dim"));
        for name in ["x", "in_x"] {
            flat["shapes"][name] = json!([1, 1, 4]);
        }
        unsupported(kind, &flat);
        fails(
            kind,
            &with(&one, "heads", json!(2)),
            "heads 应当是 2，却是 1",
        );
        fails(
            kind,
            &with(&one, "head_dim", json!(6)),
            "head_dim 应当是 6，却是 4",
        );
        fails(kind, &with(&one, "theta", json!(99)), "theta 与 base 不符");
        passes(kind, &with(&one, "theta", json!(100)));
        failed(kind, &with(&one, "rotary_pct", json!(0.5)));
        let half = with(
            &with(&one, "rotary_pct", json!(0.5)),
            "rotary_dim",
            json!(4),
        );
        fails(kind, &half, "rotary_dim 应当是 2，却是 4");
    }

    fn q_and_k(queries: usize, keys: usize, parameters: Value) -> Value {
        let theta = theta(4, 100.0);
        let at = |start: usize, len: usize| -> Vec<f64> {
            (start..start + len).map(|p| p as f64).collect()
        };
        let (q, k) = (sample(queries), sample(keys));
        let start = parameters["query_offset"]
            .as_u64()
            .or(parameters["offset"].as_u64());
        let offset = parameters["offset"].as_u64().unwrap_or(0) as usize;
        let turned_q =
            rotated(&q, &at(start.unwrap_or(0) as usize, queries), &theta, NEXT);
        let turned_k = rotated(&k, &at(offset, keys), &theta, NEXT);
        let (qs, ks) = ([1, 1, queries, 4], [1, 1, keys, 4]);
        let mut one = case(
            parameters,
            &[
                ("in_q", &qs[..], q),
                ("q", &qs, turned_q),
                ("in_k", &ks, k),
                ("k", &ks, turned_k),
            ],
        );
        for (name, value) in [
            ("rotary_dim", json!(4)),
            ("base", json!(100.0)),
            ("layout", json!(ADJACENT)),
        ] {
            one["parameters"][name] = value;
        }
        one
    }

    #[test]
    fn queries_at_the_end_of_the_keys() {
        let kind = "rope_interleaved";
        passes(kind, &q_and_k(2, 5, json!({"query_offset": 3})));
        passes(kind, &q_and_k(3, 3, json!({"offset": 7})));
        passes(
            kind,
            &q_and_k(3, 3, json!({"offset": 7, "query_offset": 1})),
        );
        let why = unsupported(kind, &q_and_k(2, 5, json!({"offset": 0})));
        assert!(why.contains("不一样长"), "{why}");
        let moved = with(
            &q_and_k(2, 5, json!({"query_offset": 3})),
            "query_offset",
            json!(2),
        );
        fails(kind, &moved, "q 的第");
    }

    #[test]
    fn xpos_grows_queries_and_shrinks_keys() {
        for (layout, pairs) in [(HALF, SPLIT), (ADJACENT, NEXT)] {
            let theta: Vec<f64> = theta(4, 100.0).iter().map(|t| t / 4.0).collect();
            let x = sample(5);
            let at: Vec<f64> = (0..5).map(f64::from).collect();
            let scaled = |sign: f64| {
                let mut y = rotated(&x, &at, &theta, pairs);
                for (row, p) in y.chunks_mut(4).zip(&at) {
                    for (j, (a, b)) in pairs.into_iter().enumerate() {
                        let zeta: f64 = (2.0 * j as f64 + 1.6) / 5.6;
                        let scale = zeta.powf(sign * (p / 4.0 - 2.0) / 8.0);
                        row[a] *= scale;
                        row[b] *= scale;
                    }
                }
                y
            };
            let shape = [1, 1, 5, 4];
            let parameters = json!({"rotary_dim": 4, "base": 100.0, "layout": layout,
                "xpos_scale_base": 8, "interpolate_factor": 4.0});
            let arrays = [
                ("in_q", &shape[..], x.clone()),
                ("in_k", &shape, x.clone()),
                ("q", &shape, scaled(1.0)),
                ("k", &shape, scaled(-1.0)),
            ];
            let one = case(parameters.clone(), &arrays);
            passes("rope_interleaved", &one);
            let late = with(&one, "offset", json!(2));
            assert!(unsupported("rope_interleaved", &late).contains("xPos"));
            let arrays = [("in_x", &shape[..], x.clone()), ("x", &shape, scaled(1.0))];
            unsupported("rope_interleaved", &case(parameters, &arrays));
        }
    }

    fn table(parameters: Value, rows: usize, values: Vec<f64>) -> Value {
        let width = parameters["d_model"].as_u64().unwrap() as usize;
        let mut one = case(parameters, &[("table", &[rows, width], values)]);
        if one["parameters"]["base"].is_null() {
            one["parameters"]["base"] = json!(100.0);
        }
        one
    }

    #[test]
    fn odd_widths_need_a_rule() {
        let kind = "sinusoidal";
        let (one_s, one_c) = 1.0_f64.sin_cos();
        let (s, c) = 0.1_f64.sin_cos();
        let up = "w_i = base ** (-2i / d_even), d_even = d rounded UP to even";
        let end = "w_i = base ** (-i / (d // 2 - 1))";
        let rounded = table(
            json!({"d_model": 3, "seq_len": 1, "start_index": 1, "layout": INTERLEAVED,
                "frequencies": up}),
            1,
            vec![one_s, one_c, s],
        );
        passes(kind, &rounded);
        passes(kind, &with(&rounded, "odd_d", json!("whatever it says")));
        let zero = "half = d // 2, zero last column";
        fails(kind, &with(&rounded, "odd_d", json!(3)), "应当是文字");
        let paper = with(&rounded, "frequencies", json!(PAPER));
        assert!(unsupported(kind, &paper).contains("奇数宽度规则"));
        assert!(
            unsupported(kind, &with(&paper, "odd_d", json!(zero))).contains("搭配")
        );
        unsupported(kind, &with(&paper, "odd_d", json!("zero something")));
        unsupported(kind, &with(&paper, "odd_d", json!("a last column")));
        let ends = table(
            json!({"d_model": 5, "seq_len": 1, "start_index": 1, "layout": SIN_COS,
                "frequencies": end, "odd_d": zero, "base": 10.0}),
            1,
            vec![one_s, s, one_c, c, 0.0],
        );
        passes(kind, &ends);
        unsupported(
            kind,
            &with(&ends, "odd_d", json!("exponent uses the odd d itself")),
        );
        let sine = [1.0_f64, 100f64.powf(-2.0 / 3.0)].map(f64::sin);
        let last = table(
            json!({"d_model": 3, "seq_len": 1, "start_index": 1, "layout": SIN_COS,
                "frequencies": PAPER, "odd_d": "(d+1)/2 sines, then (d-1)/2 cosines"}),
            1,
            vec![sine[0], sine[1], one_c],
        );
        passes(kind, &last);
        let far = with(&last, "start_index", json!(u64::MAX));
        fails(kind, &far, "超出了整数的范围");
    }

    #[test]
    fn diffusers_scales_the_angle_and_the_others_the_table() {
        let kind = "sinusoidal";
        let (s, c) = 6.0_f64.sin_cos();
        let diffusers = table(
            json!({"d_model": 2, "seq_len": 1, "offset": 2, "layout": SIN_COS,
                "downscale_freq_shift": 0.5, "scale": 3.0}),
            1,
            vec![s, c],
        );
        passes(kind, &diffusers);
        let mut listed = diffusers.clone();
        for name in ["seq_len", "offset"] {
            listed["parameters"].as_object_mut().unwrap().remove(name);
        }
        listed["values"]["in_positions"] = json!([2.0]);
        listed["shapes"]["in_positions"] = json!([1]);
        passes(kind, &listed);
        fails(kind, &with(&listed, "seq_len", json!(1)), "只有一个");
        fails(kind, &with(&listed, "offset", json!(1)), "只有一个");
        let mut square = listed.clone();
        square["shapes"]["in_positions"] = json!([1, 1]);
        fails(kind, &square, "一列数");
        unsupported(kind, &with(&diffusers, "frequencies", json!(PAPER)));
        let flip = with(&diffusers, "flip_sin_to_cos", json!(true));
        fails(kind, &flip, "flip_sin_to_cos 与 layout 不符");
        let two = with(&diffusers, "start_index", json!(1));
        fails(kind, &two, "start_index 与 offset 只能有一个");
        let (s, c) = 2.0_f64.sin_cos();
        let plain = table(
            json!({"d_model": 2, "seq_len": 1, "offset": 2, "layout": SIN_COS,
                "frequencies": PAPER, "scale": 3.0}),
            1,
            vec![3.0 * s, 3.0 * c],
        );
        passes(kind, &plain);
        fails(
            kind,
            &with(&plain, "padding_idx", json!(1)),
            "padding_idx = 1",
        );
        let empty = table(
            json!({"d_model": 2, "seq_len": 0, "layout": SIN_COS, "frequencies": PAPER}),
            0,
            vec![],
        );
        fails(kind, &empty, "没有比较任何数值");
        let zero = table(
            json!({"d_model": 2, "seq_len": 1, "layout": SIN_COS, "frequencies": PAPER}),
            1,
            vec![0.0, 1.0],
        );
        passes(kind, &zero);
    }

    #[test]
    fn grids_share_the_columns() {
        let kind = "sinusoidal";
        let layout = format!("{INTERLEAVED}, first d/2 for x, then d/2 for y");
        let row = |p: f64| {
            let (one, two) = (p.sin_cos(), (p / 10.0).sin_cos());
            vec![one.0, one.1, two.0, two.1]
        };
        let mut values = Vec::new();
        for x in [0.0, 1.0, 2.0] {
            for y in [0.0, 1.0] {
                values.extend(row(x));
                values.extend(&row(y)[..2]);
            }
        }
        let grid = case(
            json!({"d_model": 6, "x": 3, "y": 2, "base": 100.0, "layout": layout}),
            &[("table", &[3, 2, 6], values)],
        );
        passes(kind, &grid);
        let report = check(kind, &grid);
        assert!((2.9e-15..3.1e-15).contains(&report.cases[0].limit));
        let mut ten = Vec::new();
        for p in [0.0_f64, 0.0] {
            for i in 0..3 {
                let angle = p * 100f64.powf(-2.0 * i as f64 / 6.0);
                ten.extend([angle.sin(), angle.cos()]);
            }
        }
        ten.truncate(10);
        let ten = case(
            json!({"d_model": 10, "x": 1, "y": 1, "base": 100.0,
                "layout": grid["parameters"]["layout"]}),
            &[("table", &[1, 1, 10], ten)],
        );
        passes(kind, &ten);
        fails(
            kind,
            &with(&grid, "x", json!(4)),
            "table 的形状应当是 [4, 2, 6]",
        );
        unsupported(kind, &with(&grid, "z", json!(1)));
        unsupported(kind, &with(&grid, "layout", json!(INTERLEAVED)));
        let mut flat = grid.clone();
        flat["parameters"].as_object_mut().unwrap().remove("y");
        unsupported(kind, &flat);
    }

    #[test]
    fn refused_widths_depend_on_the_rule() {
        let kind = "sinusoidal_errors";
        let refusal = |width: usize, callable: &str| {
            let mut one = case(json!({"d_model": width, "error": "ValueError"}), &[]);
            one["source"] = json!({"callable": callable});
            one
        };
        for callable in ["", "whisper.sinusoids", "onmt.PositionalEncoding"] {
            passes(kind, &refusal(7, callable));
            passes(kind, &refusal(0, callable));
            fails(kind, &refusal(8, callable), "应当报错，却算出了结果");
        }
        for name in ["M2M100SinusoidalPositionalEmbedding", "whisper", "Musicgen"] {
            passes(kind, &refusal(2, name));
        }
        assert!(unsupported(kind, &refusal(2, "onmt")).contains("哪条频率规则"));
        let stated = |rule: &str| with(&refusal(2, ""), "frequencies", json!(rule));
        passes(kind, &stated("w_i = base ** (-i / (d // 2 - 1))"));
        fails(kind, &stated(PAPER), "应当报错");
        unsupported(kind, &stated("w_i = i"));
        passes(kind, &refusal(6, "get_2d_sincos_pos_embed"));
        fails(kind, &refusal(8, "get_2d_sincos_pos_embed"), "应当报错");
        let mut given = refusal(7, "");
        given["values"]["in_positions"] = json!([1.0]);
        passes(kind, &given);
        passes(kind, &with(&refusal(8, ""), "base", json!(-1)));
    }

    #[test]
    fn streams_are_drawn_in_the_stated_order() {
        let kind = "numpy_rng";
        let mut random = LegacyRandom::new(5);
        let a = vec![random.normal()];
        let b = vec![random.uniform(), random.uniform()];
        let c: Vec<f64> = (0..3).map(|_| random.normal()).collect();
        let mut mixed = case(
            json!({"seed": 5}),
            &[
                ("randn_3", &[3], c),
                ("random_sample_2", &[2], b),
                ("randn_1", &[1], a),
            ],
        );
        failed(kind, &mixed);
        mixed["what"] = json!("randn(1), random_sample(2), randn(3)");
        passes(kind, &mixed);
        fails(kind, &with(&mixed, "seed_array", json!([5])), "只有一个");
        fails(
            kind,
            &with(&mixed, "seed", json!(1_u64 << 32)),
            "超过 32 位",
        );
        let mut random = LegacyRandom::new(u32::MAX);
        let word = f64::from(random.raw());
        passes(
            kind,
            &case(json!({"seed": u32::MAX}), &[("raw", &[1], vec![word])]),
        );
        let words = |index: Vec<f64>, raw: Vec<f64>| {
            let len = [index.len()];
            case(
                json!({"seed": u32::MAX}),
                &[("in_index", &len, index), ("raw", &len, raw)],
            )
        };
        passes(kind, &words(vec![0.0, 0.0], vec![word, word]));
        let mut last = LegacyRandom::new(u32::MAX);
        let far = (0..=1_000_000).map(|_| last.raw()).last().unwrap();
        passes(kind, &words(vec![1e6], vec![f64::from(far)]));
        for (index, says) in [(1_000_001.0, "之间"), (-1.0, "之间"), (0.5, "不是整数")]
        {
            fails(kind, &words(vec![index], vec![word]), says);
        }
        let mut both = words(vec![0.0], vec![word]);
        both["values"]["randn"] = json!([0.0]);
        both["shapes"]["randn"] = json!([1]);
        unsupported(kind, &both);
        fails(kind, &with(&mixed, "count", json!(7)), "应当是 7");
        let one = case(
            json!({"seed": 5, "count": 1}),
            &[("randn_2", &[1], vec![0.0])],
        );
        assert!(failed(kind, &one).contains("randn_2 的第 0 个数"));
        fails(
            kind,
            &case(json!({"seed": 5}), &[("randn_2", &[1], vec![0.0])]),
            "应当是 2",
        );
        let mut real = words(vec![0.0], vec![word]);
        real["dtype"] = json!({"raw": "int64", "in_index": "int64"});
        passes(kind, &real);
        real["values"]["raw"] = json!([0.5]);
        fails(kind, &real, "应当是整数");
        let mut scalar = case(json!({"seed": u32::MAX}), &[("raw", &[], vec![])]);
        scalar["values"]["raw"] = json!(word);
        passes(kind, &scalar);
    }

    #[test]
    fn rows_are_read_as_asked() {
        let kind = "learned";
        let learned = |parameters: Value, rows: Vec<f64>| {
            let shape = [1, rows.len() / 2, 2];
            let arrays = [
                ("in_table", &[3, 2][..], vec![1.0, 2.0, 3.0, 5.0, 7.0, 11.0]),
                ("rows", &shape, rows),
            ];
            case(parameters, &arrays)
        };
        let two = learned(json!({"seq_len": 2, "start": 1}), vec![3.0, 5.0, 7.0, 11.0]);
        passes(kind, &two);
        passes(kind, &with(&two, "max_positions", json!(3)));
        fails(
            kind,
            &with(&two, "max_positions", json!(4)),
            "max_positions 应当是 3，却是 4",
        );
        fails(
            kind,
            &with(&two, "d_model", json!(3)),
            "d_model 应当是 2，却是 3",
        );
        fails(
            kind,
            &with(&two, "num_embeddings", json!(1)),
            "num_embeddings",
        );
        fails(kind, &with(&two, "start", json!(2)), "位置 3 越界");
        fails(
            kind,
            &with(&two, "start", json!(u64::MAX)),
            "超出了整数的范围",
        );
        let cached = with(&two, "cache_length", json!(1));
        passes(kind, &with(&cached, "start", json!(0)));
        let mut given = learned(json!({}), vec![7.0, 11.0, 1.0, 2.0]);
        let position = |given: &mut Value, values: Value| {
            given["shapes"]["in_positions"] = json!([1, 2]);
            given["values"]["in_positions"] = values;
        };
        position(&mut given, json!([2, 0]));
        passes(kind, &given);
        position(&mut given, json!([-1, 0]));
        fails(kind, &given, "行号 -1 是负数");
        position(&mut given, json!([2, 0]));
        given["values"]["in_ids"] = json!([1, 1]);
        given["shapes"]["in_ids"] = json!([1, 2]);
        unsupported(kind, &given);
        let refusal = |parameters: Value| case(parameters, &[]);
        passes(
            kind,
            &refusal(json!({"error": "e", "max_positions": 4, "position": 4})),
        );
        fails(
            kind,
            &refusal(json!({"error": "e", "max_positions": 4, "position": 3})),
            "应当报错",
        );
        let both =
            json!({"error": "e", "max_positions": 4, "position": 4, "seq_len": 1});
        unsupported(kind, &refusal(both));
        passes(
            kind,
            &refusal(
                json!({"error": "e", "num_embeddings": 4, "start": 3, "seq_len": 2}),
            ),
        );
        fails(
            kind,
            &refusal(json!({"error": "e", "max_positions": 4, "seq_len": 4})),
            "应当报错",
        );
    }

    #[test]
    fn the_output_is_a_sum_and_a_norm() {
        let kind = "learned";
        let sums = [[1.5, 1.0], [3.0, 5.0]];
        let norm = |epsilon: f64| -> Vec<f64> {
            let one = |[a, b]: [f64; 2]| {
                let mean = (a + b) / 2.0;
                let variance = ((a - mean).powi(2) + (b - mean).powi(2)) / 2.0;
                [a, b].map(|x| (x - mean) / (variance + epsilon).sqrt())
            };
            sums.into_iter().flat_map(one).collect()
        };
        let output = |parameters: Value, values: Vec<f64>| {
            case(
                parameters,
                &[
                    ("in_table", &[2, 2][..], vec![1.0, 2.0, 3.0, 5.0]),
                    ("in_x", &[1, 2, 2], vec![0.5, -1.0, 0.0, 0.0]),
                    ("output", &[1, 2, 2], values),
                ],
            )
        };
        passes(kind, &output(json!({"seq_len": 2}), sums.concat()));
        passes(
            kind,
            &output(json!({"seq_len": 2, "layer_norm_eps": 0.1}), norm(0.1)),
        );
        failed(
            kind,
            &output(json!({"seq_len": 2, "layer_norm_eps": 0.2}), norm(0.1)),
        );
        let mut wide = output(json!({"seq_len": 2}), sums.concat());
        wide["shapes"]["in_x"] = json!([2, 1, 2]);
        fails(kind, &wide, "in_x 的形状应当是 [2, 2, 2]");
    }

    /// 第三段代码，种子、幅度与尺寸都可以换。
    fn third(parameters: Value, seed: u32, spread: f64, rows: usize) -> Value {
        let mut random = LegacyRandom::new(seed);
        let mut draw = || -> Vec<f64> {
            (0..4 * rows).map(|_| random.normal() * spread).collect()
        };
        let (q, k) = (draw(), draw());
        let at: Vec<f64> = (0..rows).map(|p| p as f64).collect();
        let theta = theta(4, 100.0);
        let (turned_q, turned_k) = (
            rotated(&q, &at, &theta, NEXT),
            rotated(&k, &at, &theta, NEXT),
        );
        let scores = |q: &[f64], k: &[f64], scale: f64| -> Vec<f64> {
            let dot =
                |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let row = |q| k.chunks(4).map(move |k| dot(q, k) / scale);
            q.chunks(4).flat_map(row).collect()
        };
        let (wide, square) = ([rows, 4], [rows, rows]);
        let mut one = case(
            parameters,
            &[
                ("Q_raw", &wide, q.clone()),
                ("K_raw", &wide, k.clone()),
                ("scores_no_rope", &square, scores(&q, &k, 1.0)),
                ("scores_rope", &square, scores(&turned_q, &turned_k, 2.0)),
                ("Q_rope", &wide, turned_q),
                ("K_rope", &wide, turned_k),
            ],
        );
        for (name, value) in [
            ("seq_len", json!(rows)),
            ("d_k", json!(4)),
            ("base", json!(100.0)),
        ] {
            one["parameters"][name] = value;
        }
        one
    }

    #[test]
    fn substitutions_are_understood_or_refused() {
        let kind = "lesson_listings";
        passes(kind, &third(json!({}), 42, 0.5, 3));
        passes(kind, &third(json!({"seed": 7}), 7, 0.5, 3));
        failed(kind, &third(json!({"seed": 8}), 7, 0.5, 3));
        for (seed, says) in [
            (json!(0.5), "种子"),
            (json!(-1), "种子"),
            (json!(4294967296_u64), "种子"),
        ] {
            fails(kind, &third(json!({"seed": seed}), 7, 0.5, 3), says);
        }
        passes(kind, &third(json!({"seed": u32::MAX}), u32::MAX, 0.5, 2));
        let substituted = |list: Value, seed, spread| {
            third(json!({"substitutions": list}), seed, spread, 3)
        };
        let seed = json!(["np.random.seed(42)", "np.random.seed(7)"]);
        passes(kind, &substituted(json!([seed]), 7, 0.5));
        let spread = json!(["randn(seq_len, d_k) * 0.5", "randn(seq_len, d_k) * 0.25"]);
        passes(kind, &substituted(json!([seed, spread]), 7, 0.25));
        let size = json!("seq_len = 5 -> seq_len = 3");
        passes(kind, &substituted(json!([size, seed]), 7, 0.5));
        for odd in [
            json!("seq_len = 5 -> seq_len = 4"),
            json!("heads = 5 -> heads = 3"),
            json!("np.exp -> np.sin"),
            json!(3),
        ] {
            unsupported(kind, &substituted(json!([odd]), 42, 0.5));
        }
        let strange = case(
            json!({"substitutions": []}),
            &[("strange", &[1], vec![1.0])],
        );
        unsupported(kind, &strange);
        let mut printed = third(json!({}), 42, 0.5, 3);
        printed["parameters"]["stdout"] = json!("lesson_3_stdout.txt");
        fails(kind, &printed, "行数太少");
        let mut four = third(json!({}), 42, 0.5, 4);
        four["parameters"]["stdout"] = json!("lesson_3_stdout.txt");
        fails(kind, &four, "行数太少");
        let mut away = third(json!({}), 42, 0.5, 5);
        away["parameters"]["stdout"] = json!("../golden/lesson_3_stdout.txt");
        fails(kind, &away, "应当只是文件名");
    }

    #[test]
    fn the_first_listing_takes_other_seeds_and_spreads() {
        let mut random = LegacyRandom::new(9);
        let mut draw =
            || -> Vec<f64> { (0..2).map(|_| random.normal() * 0.25).collect() };
        let [q, k, v] = [draw(), draw(), draw()];
        let x = [[1.0, 0.5], [-0.5, 2.0]];
        let project = |w: &[f64]| x.map(|[a, b]| a * w[0] + b * w[1]);
        let [pq, pk, pv] = [&q, &k, &v].map(|w| project(w));
        let (mut attention, mut output) = (Vec::new(), Vec::new());
        for query in pq {
            let weights = pk.map(|key| (query * key).exp());
            let total: f64 = weights.iter().sum();
            attention.extend(weights.map(|w| w / total));
            output.push((weights[0] * pv[0] + weights[1] * pv[1]) / total);
        }
        let arrays = [
            ("W_Q", &[2, 1][..], q),
            ("W_K", &[2, 1], k),
            ("W_V", &[2, 1], v),
            ("in_X1", &[2, 2], x.concat()),
            ("in_X2", &[2, 2], x.concat()),
            ("attn1", &[2, 2], attention.clone()),
            ("attn2", &[2, 2], attention),
            ("output1", &[2, 1], output.clone()),
            ("output2", &[2, 1], output),
        ];
        let parameters = json!({"d_model": 2, "d_k": 1, "substitutions": [
            ["seed(42)", "seed(9)"], ["* 0.5", "* 0.25"]]});
        let one = case(parameters, &arrays);
        passes("lesson_listings", &one);
        let mut printed = one.clone();
        printed["parameters"]["stdout"] = json!("lesson_1_stdout.txt");
        fails("lesson_listings", &printed, "没有第 2 行第 1 列");
        let mut flat = one.clone();
        flat["shapes"]["in_X1"] = json!([4]);
        fails("lesson_listings", &flat, "in_X1 应当有两轴");
        let huge = with(&with(&one, "d_model", json!(u64::MAX)), "d_k", json!(3));
        fails("lesson_listings", &huge, "放不进内存");
    }

    /// 位置很远时，频率的两种写法差得比界限还多；以讲稿的写法为准。
    #[test]
    fn far_positions_keep_the_tight_limit() {
        let width = 64;
        let base = 10000.0_f64;
        let x: Vec<f64> = (0..width).map(|n| (n as f64).cos()).collect();
        let position = 1e6;
        let mut y = x.clone();
        for i in 0..width / 2 {
            let theta = 1.0 / base.powf(2.0 * i as f64 / width as f64);
            let (sin, cos) = (position * theta).sin_cos();
            y[2 * i] = x[2 * i] * cos - x[2 * i + 1] * sin;
            y[2 * i + 1] = x[2 * i] * sin + x[2 * i + 1] * cos;
        }
        let far = |y: Vec<f64>| {
            case(
                json!({"dim": width, "base": base, "position": 1_000_000}),
                &[("in_x", &[width], x.clone()), ("rotated", &[width], y)],
            )
        };
        let report = check("lesson_listings", &far(y.clone()));
        assert_eq!(report.cases[0].verdict, Verdict::Passed);
        assert!(report.cases[0].limit < 1e-8, "{}", report.cases[0].limit);
        y[5] += 1e-11;
        failed("lesson_listings", &far(y));
    }

    #[test]
    fn tables_of_the_second_listing_keep_the_tight_limit() {
        let rows = 2000;
        let step = -10000f64.ln() / 6.0;
        let mut values = Vec::new();
        for n in 0..rows {
            for i in 0..3 {
                let angle = n as f64 * (2.0 * i as f64 * step).exp();
                values.extend([angle.sin(), angle.cos()]);
            }
        }
        let long = case(
            json!({"seq_len": rows, "d_model": 6, "base": 10000.0, "layout": "interleaved"}),
            &[("PE", &[rows, 6], values)],
        );
        passes("lesson_listings", &long);
        unsupported(
            "lesson_listings",
            &with(&long, "layout", json!("concatenated")),
        );
        fails(
            "lesson_listings",
            &with(&long, "d_model", json!(5)),
            "宽度必须是偶数",
        );
        fails(
            "lesson_listings",
            &with(&long, "base", json!(1)),
            "base = 1",
        );
        let refusal = |parameters: Value| case(parameters, &[]);
        let kind = "lesson_listings";
        passes(kind, &refusal(json!({"error": "e", "dim": 3})));
        fails(kind, &refusal(json!({"error": "e", "dim": 4})), "应当报错");
        unsupported(kind, &refusal(json!({"error": "e", "dim": 3, "d_k": 3})));
        unsupported(kind, &refusal(json!({"error": "e"})));
    }

    #[test]
    fn a_file_of_skipped_cases_does_not_pass() {
        let skipped = case(json!({"seed": 1}), &[("strange", &[1], vec![1.0])]);
        let report = check("numpy_rng", &skipped);
        assert_eq!(
            (report.failed(), report.unsupported(), report.compared()),
            (0, 1, 0)
        );
        assert!(!report.passed());
        let text = r#"{"kind": "learned", "cases": [{"name": "n", "values": 3}]}"#;
        let error = check_text(text, None).unwrap_err().to_string();
        assert!(error.contains("一个对象"), "{error}");
    }
}
