"""NumPy 对照：listings/numpy 里的每个短函数，都与 tests/golden 里别人算出的数相比。

每个文件在这里恰好有一个检查；少一个、多一个、或者一次也没比，都算失败。
添一个对照：写 listings/numpy/NAME.py，再在这里写一个 @twin("NAME") 函数。
"""

import inspect
import json
import runpy
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
CHECKS = {}


def twin(name):
    """登记一个检查；它收到对照文件里唯一的函数和一个 Comparison。"""

    def register(check):
        if name in CHECKS:
            raise ValueError(f"{name} 登记了两次")
        CHECKS[name] = check
        return check

    return register


def golden(file):
    """tests/golden 里一个文件的各例：名字 → （参数，按形状排好的数值）。"""
    cases = json.loads((ROOT / "tests/golden" / file).read_text())["cases"]
    return {
        case["name"]: (
            case["parameters"],
            {
                key: np.array(values).reshape(case["shapes"][key])
                for key, values in case.get("values", {}).items()
            },
        )
        for case in cases
    }


class Comparison:
    """数一数比了多少个数，最坏差多少。"""

    def __init__(self):
        self.numbers = 0
        self.worst = 0.0

    def close(self, got, want, limit):
        got, want = np.asarray(got, float), np.asarray(want, float)
        if got.shape != want.shape:
            raise AssertionError(f"形状 {got.shape}，应为 {want.shape}")
        worst = float(np.max(np.abs(got - want), initial=0.0))
        if not worst <= limit:
            raise AssertionError(f"相差 {worst:.3g}，上限 {limit:.3g}")
        self.numbers += want.size
        self.worst = max(self.worst, worst)


def run(name):
    path = ROOT / "listings/numpy" / f"{name}.py"
    lines = path.read_text().splitlines()
    if len(lines) > 10:
        raise AssertionError(f"有 {len(lines)} 行，最多 10 行")
    functions = [f for f in runpy.run_path(str(path)).values() if inspect.isfunction(f)]
    if len(functions) != 1:
        raise AssertionError(f"有 {len(functions)} 个函数，应当恰好一个")
    comparison = Comparison()
    CHECKS[name](functions[0], comparison)
    if comparison.numbers == 0:
        raise AssertionError("一个数也没有比")
    return comparison


def lesson(name):
    return golden("lesson_listings.json")[name][1]


def plain_tables():
    """交错排列、偶数宽度、从位置零起的双精度正弦表：（基数，表）。"""
    for parameters, values in golden("lesson_listings.json").values():
        if "PE" in values:
            yield parameters["base"], values["PE"]
    for name, (parameters, values) in golden("sinusoidal.json").items():
        start, width = parameters.get("start_index"), parameters.get("d_model", 1)
        if name.startswith("keras") and name.endswith("float64"):
            if start == 0 and width % 2 == 0:
                yield parameters["base"], values["table"]


@twin("why_attention")
def why_attention(attend, compare):
    data = lesson("lesson_1")
    for sentence in "12":
        x = data["in_X" + sentence]
        q, k, v = (x @ data["W_" + part] for part in "QKV")
        output, weights = attend(q, k, v)
        compare.close(output, data["output" + sentence], 1e-12)
        compare.close(weights, data["attn" + sentence], 1e-12)
        # 因果掩码下的第 n 行，就是只给前 n + 1 个键时的最后一行。
        masked, _ = attend(q, k, v, causal=True)
        for n in range(len(x)):
            seen = slice(0, n + 1)
            compare.close(masked[n], attend(q[seen], k[seen], v[seen])[0][n], 1e-12)


@twin("frequencies")
def frequencies(function, compare):
    for parameters, values in golden("rope_float64_frequencies.json").values():
        if parameters["linear_factor"] == parameters["ntk_factor"] == 1:
            theta = function(parameters["rotary_dim"], parameters["base"])
            angle = np.outer(values["in_positions"], theta)
            limit = 1e-15 * values["in_positions"].max() + 1e-15
            compare.close(np.cos(angle), values["cos"], limit)
            compare.close(np.sin(angle), values["sin"], limit)


@twin("sinusoidal_table")
def sinusoidal_table(function, compare):
    for base, table in plain_tables():
        compare.close(function(*table.shape, base), table, 1e-12)


@twin("kernel")
def kernel(function, compare):
    for base, table in plain_tables():
        length, width = table.shape
        for m in range(length):
            for n in range(length):
                want = table[m] @ table[n]
                compare.close(function(n - m, width, base), want, 1e-12 * width)


@twin("shift_matrix")
def shift_matrix(function, compare):
    for base, table in plain_tables():
        length, width = table.shape
        for offset in range(1 - length, length):
            matrix = function(width, base, offset)
            for n in range(max(0, -offset), min(length, length - offset)):
                compare.close(matrix @ table[n], table[n + offset], 1e-12)


def rotary_rows(file, prefix, function, compare):
    """某个库整批旋转的结果：倒数第二轴是位置。"""
    for name, (parameters, values) in golden(file).items():
        whole = parameters.get("rotary_dim") == parameters.get("head_dim")
        if not (name.startswith(prefix) and whole):
            continue
        positions = values["in_positions"].reshape(-1).astype(int)
        for part in sorted({"q", "k", "x"} & values.keys()):
            for at, position in enumerate(positions):
                got = function(
                    values["in_" + part][..., at, :], position, parameters["base"]
                )
                limit = 5e-8 * position + 1e-6
                compare.close(got, values[part][..., at, :], limit)


@twin("rotary_adjacent")
def rotary_adjacent(function, compare):
    for name, (parameters, values) in golden("lesson_listings.json").items():
        if name.startswith("rope_rotate"):
            position, base = parameters["position"], parameters["base"]
            got = function(values["in_x"], position, base)
            compare.close(got, values["rotated"], 1e-12)
    data = lesson("lesson_3")
    for position in range(len(data["Q_raw"])):
        for part in "QK":
            got = function(data[part + "_raw"][position], position)
            compare.close(got, data[part + "_rope"][position], 1e-12)
    rotary_rows("rope_interleaved.json", "cohere", function, compare)
    rotary_rows("rope_interleaved.json", "x_transformers", function, compare)


@twin("rotary_half_split")
def rotary_half_split(function, compare):
    rotary_rows("rope_half_split.json", "llama", function, compare)


@twin("learned_rows")
def learned_rows(function, compare):
    for name, (parameters, values) in golden("learned.json").items():
        if name.startswith("bert"):
            table, start = values["in_table"], parameters["start"]
            got = function(table, start, parameters["seq_len"])
            compare.close(got, values["rows"][0], 0.0)
        if "IndexError" in parameters.get("error", ""):
            table = np.zeros((parameters["max_positions"], 1))
            try:
                function(table, 0, parameters["seq_len"])
            except IndexError:
                continue
            raise AssertionError("越界没有报错")


@twin("token_rows")
def token_rows(function, compare):
    for name, (parameters, values) in golden("learned.json").items():
        if name.startswith("roberta"):
            padding = parameters["padding_idx"]
            got = function(
                values["in_ids"] != padding, padding, parameters["cache_length"]
            )
            compare.close(got, values["positions"], 0.0)


@twin("learned_longer")
def learned_longer(function, compare):
    table = golden("learned.json")["bert_4_3_start0"][1]["in_table"]
    copied, resized = function(table, 2 * len(table) - 1)
    compare.close(copied, np.concatenate([table, table])[:-1], 0.0)
    # 两端对齐：旧表的行正好落在新表的偶数行，奇数行是两边的平均。
    compare.close(resized[0::2], table, 1e-15)
    compare.close(resized[1::2], (table[:-1] + table[1:]) / 2, 1e-15)


@twin("learned_gradient")
def learned_gradient(function, compare):
    data = golden("learned.json")
    table = data["bert_4_3_start0"][1]["in_table"]
    ids = data["roberta_positions_pad1_cache0"][1]["positions"]
    for positions in (ids % len(table)).astype(int):
        upstream = table[: len(positions)] + 1.0
        picks = np.eye(len(table))[positions]
        compare.close(function(table, positions, upstream), picks.T @ upstream, 1e-12)


def main():
    files = {path.stem for path in (ROOT / "listings/numpy").glob("*.py")}
    problems = [f"{name}：没有检查" for name in sorted(files - CHECKS.keys())]
    problems += [f"{name}：没有文件" for name in sorted(CHECKS.keys() - files)]
    passed = 0
    for name in sorted(files & CHECKS.keys()):
        try:
            done = run(name)
        except Exception as why:  # 任何错误都算这个对照失败，其余照常比
            problems.append(f"{name}：{type(why).__name__}：{why}")
            continue
        passed += 1
        print(f"{name}：{done.numbers} 个数，最大差 {done.worst:.1e}")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"twins: {passed} passed, {len(problems)} failed")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main())
