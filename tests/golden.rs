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
    assert!(run(&[known.clone()]).0);
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
