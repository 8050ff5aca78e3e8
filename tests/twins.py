"""NumPy 对照：listings/numpy 里的每个短函数，都与 tests/golden 里别人算出的数相比。

每个文件在这里恰好有一个检查；少一个、多一个、或者一次也没比，都算失败。
添一个对照：写 listings/numpy/NAME.py，再在这里写一个 @twin("NAME") 函数。
"""

import json
import runpy
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
CHECKS = {}


def twin(name):
    """登记一个检查；它收到对照文件里的名字（一个字典）和一个比较函数。"""

    def register(check):
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
    comparison = Comparison()
    CHECKS[name](runpy.run_path(str(path)), comparison)
    if comparison.numbers == 0:
        raise AssertionError("一个数也没有比")
    return comparison


def lesson_tables():
    """讲稿的编码表：一张一张的（宽度，表）。"""
    for parameters, values in golden("lesson_listings.json").values():
        if "PE" in values:
            yield parameters["d_model"], values["PE"]


@twin("sinusoidal_table")
def _(names, comparison):
    for width, table in lesson_tables():
        mine = names["sinusoidal_table"](len(table), width)
        comparison.close(mine, table, 1e-14)


@twin("frequencies")
def _(names, comparison):
    for width, table in lesson_tables():
        if len(table) > 1:
            theta = np.arctan2(table[1, 0::2], table[1, 1::2])
            comparison.close(names["frequencies"](width), theta, 1e-14)


@twin("shift_matrix")
def _(names, comparison):
    for width, table in lesson_tables():
        for offset in range(1, len(table)):
            shift = names["shift_matrix"](width, 10000.0, offset)
            comparison.close(table[:-offset] @ shift.T, table[offset:], 1e-13)


@twin("kernel")
def _(names, comparison):
    for width, table in lesson_tables():
        for m in range(len(table)):
            for n in range(len(table)):
                inner = table[m] @ table[n]
                comparison.close(names["kernel"](n - m, width), inner, 1e-13)


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


@twin("rotary_adjacent")
def rotary_adjacent(names, comparison):
    for name in ("cohere_8_theta10000", "x_transformers_6_6"):
        parameters, values = golden("rope_interleaved.json")[name]
        positions = values["in_positions"].reshape(-1, 1)
        for letter in sorted({"q", "k", "x"} & values.keys()):
            turned = names["rotate_adjacent"](
                values[f"in_{letter}"], positions, parameters["base"]
            )
            comparison.close(turned, values[letter], 2e-6)


@twin("rotary_half_split")
def rotary_half_split(names, comparison):
    for name in ("llama_basic", "llama_gqa", "llama_offset_100"):
        parameters, values = golden("rope_half_split.json")[name]
        positions = values["in_positions"].reshape(-1, 1)
        for letter in ("q", "k"):
            turned = names["rotate_half_split"](
                values[f"in_{letter}"], positions, parameters["base"]
            )
            comparison.close(turned, values[letter], 2e-5)


if __name__ == "__main__":
    sys.exit(main())
