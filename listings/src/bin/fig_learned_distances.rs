//! 插图：位置零到其他位置的距离，正弦表与刚初始化的表。

use posenc::rng::LegacyRandom;
use posenc::sinusoidal::{ColumnLayout, sinusoidal_table};
use posenc::svg::{Anchor, Canvas, PALETTE, Plot};

fn main() -> Result<(), posenc::Error> {
    const WIDTH: usize = 64;
    let sinusoid = sinusoidal_table(64, WIDTH, 10000.0, ColumnLayout::Interleaved)?;
    // 标准差取根号二分之一，行的长度平均起来与正弦表一样。
    let random = LegacyRandom::new(42).normal_matrix(64, WIDTH) * 0.5_f64.sqrt();
    let mut canvas = Canvas::new(
        "fig_learned_distances",
        "正弦表里近处的更像，远处有起伏；刚初始化的表里看不出远近",
        "横轴是位置，纵轴是它到位置 0 的距离。正弦表是一条从零升起、越走越平又有起伏的曲线；随机初始化的表是一排散点，除了位置 0 自己，其余都在同一高度附近，看不出远近。",
        360,
        250,
    );
    let plot = Plot {
        area: (40.0, 30.0, 305.0, 170.0),
        x: (0.0, 63.0),
        y: (0.0, 11.0),
    };
    plot.axes(
        &mut canvas,
        &[
            (0.0, "0"),
            (16.0, "16"),
            (32.0, "32"),
            (48.0, "48"),
            (63.0, "63"),
        ],
        &[
            (0.0, "0"),
            (2.0, "2"),
            (4.0, "4"),
            (6.0, "6"),
            (8.0, "8"),
            (10.0, "10"),
        ],
        "位置（个）",
        "到位置 0 的距离",
    );
    let distance = |table: &ndarray::Array2<f64>, n: usize| {
        (&table.row(n) - &table.row(0)).mapv(|x| x * x).sum().sqrt()
    };
    let curve: Vec<(f64, f64)> = (0..64)
        .map(|n| plot.at(n as f64, distance(&sinusoid, n)))
        .collect();
    let style = format!("stroke=\"{}\" stroke-width=\"2\"", PALETTE[0]);
    canvas.polyline(&curve, &style);
    for n in 0..64 {
        let at = plot.at(n as f64, distance(&random, n));
        canvas.circle(at, 2.5, &format!("fill=\"{}\"", PALETTE[1]));
    }
    canvas.text(
        plot.at(20.0, 10.2),
        12.0,
        Anchor::Start,
        "刚初始化的表（点）",
    );
    canvas.text(plot.at(20.0, 3.6), 12.0, Anchor::Start, "正弦表（线）");
    print!("{}", canvas.finish());
    Ok(())
}
