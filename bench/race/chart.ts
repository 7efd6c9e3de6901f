/** The ratios of the race as SVG: one bar each on a logarithmic axis, and where its bar was set. */
import { init } from "echarts"

export interface Ratio {
  readonly name: string
  readonly ratio: number
  readonly bar: number
  readonly met: boolean
}

const WIDTH = 900
const LINE = 24
const COLOURS = { met: "#0072b2", missed: "#d55e00", bar: "#222222" } // of Okabe & Ito

export function ratioChart(ratios: readonly Ratio[], title: string): string {
  const height = 110 + LINE * ratios.length
  const drawing = init(null, null, { renderer: "svg", ssr: true, width: WIDTH, height })
  const shown = ratios.toReversed()
  drawing.setOption({
    animation: false,
    backgroundColor: "#ffffff",
    title: { text: title, left: "center", top: 8, textStyle: { fontSize: 14 } },
    grid: { left: 330, right: 60, top: 40, bottom: 50 },
    xAxis: { type: "log", name: "times as fast as the peer", nameLocation: "middle", nameGap: 28 },
    // names on the left, numbers on the right: beside a bar they would stand in the way of its mark
    yAxis: [
      { type: "category", data: shown.map(({ name }) => name), axisTick: { show: false } },
      {
        type: "category",
        data: shown.map(({ ratio }) => ratio.toPrecision(3)),
        position: "right",
        axisTick: { show: false },
        axisLine: { show: false },
      },
    ],
    series: [
      {
        type: "bar",
        barWidth: 12,
        data: shown.map(({ ratio, met }) => ({
          value: ratio,
          itemStyle: { color: met ? COLOURS.met : COLOURS.missed },
        })),
      },
      {
        type: "scatter",
        symbol: "rect",
        symbolSize: [3, 18],
        itemStyle: { color: COLOURS.bar },
        data: shown.map(({ bar }, at) => [bar, at]),
      },
    ],
  })
  const svg = drawing.renderToSVGString()
  drawing.dispose()
  return `${svg}\n`
}
