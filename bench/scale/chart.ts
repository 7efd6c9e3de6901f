/** Curves of growth as SVG, both axes logarithmic. */
import { init } from "echarts"

export interface Curve {
  readonly name: string
  readonly points: readonly (readonly [number, number])[]
}

const WIDTH = 480
const HEIGHT = 380
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#555555", "#cc79a7", "#e69f00"] // of Okabe & Ito

export function growthChart(
  panels: readonly { readonly title: string; readonly curves: readonly Curve[] }[],
): string {
  const drawing = init(null, null, {
    renderer: "svg",
    ssr: true,
    width: WIDTH * panels.length,
    height: HEIGHT + 40,
  })
  drawing.setOption({
    animation: false,
    backgroundColor: "#ffffff",
    legend: { bottom: 8, data: panels[0].curves.map(({ name }) => name) },
    title: panels.map(({ title }, at) => ({
      text: title,
      left: at * WIDTH + WIDTH / 2,
      top: 8,
      textAlign: "center",
      textStyle: { fontSize: 14 },
    })),
    grid: panels.map((_, at) => ({
      left: at * WIDTH + 60,
      top: 50,
      width: WIDTH - 85,
      height: HEIGHT - 110,
    })),
    xAxis: panels.map((_, at) => ({
      type: "log",
      gridIndex: at,
      name: "size",
      nameLocation: "middle",
      nameGap: 28,
    })),
    yAxis: panels.map((_, at) => ({ type: "log", gridIndex: at })),
    series: panels.flatMap(({ curves }, at) =>
      curves.map(({ name, points }, i) => ({
        type: "line",
        name,
        xAxisIndex: at,
        yAxisIndex: at,
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
