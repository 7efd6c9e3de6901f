/** Curves side by side, drawn as SVG, sizes on a logarithmic axis. */
import { init } from "echarts"

export interface Curve {
  readonly title: string
  readonly lines: readonly {
    readonly name: string
    readonly points: readonly (readonly [number, number])[]
  }[]
}

/** What the axes are, and how large a panel is. */
export interface Look {
  readonly width: number
  readonly height: number
  /** Room for the numbers beside the upright axis. */
  readonly left: number
  readonly x: { readonly name: string; readonly min?: number }
  readonly y:
    | { readonly type: "log" }
    | { readonly type: "value"; readonly scale: true; readonly name: string }
}

const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#555555", "#cc79a7", "#e69f00"] // of Okabe & Ito, told apart by colour-blind eyes too
const SYMBOLS = ["circle", "triangle", "diamond", "rect", "pin", "arrow"]

export function chart(curves: readonly Curve[], { width, height, left, x, y }: Look): string {
  const drawing = init(null, null, {
    renderer: "svg",
    ssr: true,
    width: width * curves.length,
    height: height + 40,
  })
  drawing.setOption({
    animation: false,
    backgroundColor: "#ffffff",
    color: COLOURS,
    legend: { bottom: 8, data: curves[0].lines.map(({ name }) => name) },
    title: curves.map(({ title }, at) => ({
      text: title,
      left: at * width + width / 2,
      top: 8,
      textAlign: "center",
      textStyle: { fontSize: 14 },
    })),
    grid: curves.map((_, at) => ({
      left: at * width + left,
      top: 50,
      width: width - left - 25,
      height: height - 110,
    })),
    xAxis: curves.map((_, at) => ({
      type: "log",
      gridIndex: at,
      ...x,
      nameLocation: "middle",
      nameGap: 28,
    })),
    // named once, on the left
    yAxis: curves.map((_, at) => ({ gridIndex: at, ...y, ...(at > 0 && { name: undefined }) })),
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
