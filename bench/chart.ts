/** Curves side by side as SVG, both axes logarithmic. */
import { init } from "echarts"

export interface Curve {
  readonly title: string
  readonly lines: readonly {
    readonly name: string
    readonly points: readonly (readonly [number, number])[]
  }[]
}

/** A panel in pixels; LEFT is the room for numbers beside the upright axis. */
const WIDTH = 480
const HEIGHT = 380
const LEFT = 60

const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#555555", "#cc79a7", "#e69f00"] // of Okabe & Ito, told apart by colour-blind eyes too
const SYMBOLS = ["circle", "triangle", "diamond", "rect", "pin", "arrow"]

export function chart(curves: readonly Curve[], axis: string): string {
  const drawing = init(null, null, {
    renderer: "svg",
    ssr: true,
    width: WIDTH * curves.length,
    height: HEIGHT + 40,
  })
  drawing.setOption({
    animation: false,
    backgroundColor: "#ffffff",
    color: COLOURS,
    legend: { bottom: 8, data: curves[0].lines.map(({ name }) => name) },
    title: curves.map(({ title }, at) => ({
      text: title,
      left: at * WIDTH + WIDTH / 2,
      top: 8,
      textAlign: "center",
      textStyle: { fontSize: 14 },
    })),
    grid: curves.map((_, at) => ({
      left: at * WIDTH + LEFT,
      top: 50,
      width: WIDTH - LEFT - 25,
      height: HEIGHT - 110,
    })),
    xAxis: curves.map((_, at) => ({
      type: "log",
      gridIndex: at,
      name: axis,
      nameLocation: "middle",
      nameGap: 28,
    })),
    yAxis: curves.map((_, at) => ({ gridIndex: at, type: "log" })),
    series: curves.flatMap(({ lines }, at) =>
      lines.map(({ name, points }, i) => ({
        type: "line",
        name,
        xAxisIndex: at,
        yAxisIndex: at,
        symbol: SYMBOLS[i],
        symbolSize: 7,
        itemStyle: { color: COLOURS[i] },
        lineStyle: { color: COLOURS[i] },
        data: points.map(([x, y]) => [x, y]),
      })),
    ),
  })
  const svg = drawing.renderToSVGString()
  drawing.dispose()
  return `${svg}\n`
}
