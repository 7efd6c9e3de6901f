/** A small drawing for each page of the lab, by its id: what one will see there. Lines are paths in a box of 120 × 60, dots are [x, y, radius], boxes [x, y, width, height]. */

export interface Sketch {
  readonly lines?: readonly (readonly [path: string, colour: number])[]
  readonly dots?: readonly (readonly [x: number, y: number, radius: number, colour: number])[]
  readonly boxes?: readonly (readonly [x: number, y: number, width: number, height: number, colour: number])[]
}

const curve = (of: (x: number) => number, from = 4, to = 116): string =>
  Array.from({ length: 57 }, (_, i) => from + ((to - from) * i) / 56)
    .map((x, i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${of(x).toFixed(1)}`)
    .join("")
const bell = (mean: number, sd: number, height: number): string =>
  curve(x => 54 - height * Math.exp(-(((x - mean) / sd) ** 2) / 2))
const cloud = (x: number, y: number, colour: number): Sketch["dots"] =>
  Array.from({ length: 9 }, (_, i) => [
    x + 4 * Math.sqrt(i) * Math.cos(2.4 * i),
    y + 3.4 * Math.sqrt(i) * Math.sin(2.4 * i),
    1.8,
    colour,
  ])
const board = (x: number, y: number, marked: (column: number, row: number) => boolean): Sketch["boxes"] =>
  Array.from({ length: 25 }, (_, s) => [
    x + 9 * (s % 5),
    y + 9 * Math.floor(s / 5),
    8,
    8,
    marked(s % 5, Math.floor(s / 5)) ? 1 : 0,
  ])

export const SKETCHES: Readonly<Record<string, Sketch>> = {
  "half-lives": {
    lines: [
      [bell(38, 9, 30), 1],
      [bell(72, 18, 42), 2],
    ],
    dots: [
      [38, 54, 3.5, 1],
      [72, 54, 3.5, 2],
    ],
  },
  "soft-k-means": {
    dots: [
      ...(cloud(28, 40, 1) ?? []),
      ...(cloud(92, 42, 2) ?? []),
      ...(cloud(60, 17, 3) ?? []),
      [28, 40, 5, 1],
      [92, 42, 5, 2],
      [60, 17, 5, 3],
    ],
  },
  strings: {
    boxes: [0, 1, 2, 3, 4].flatMap(j => {
      const [own, other, last] = [
        [1, 2, 3],
        [1, 3, 2],
        [3, 2, 1],
        [3, 1, 2],
        [2, 1, 3],
      ][j]
      return [
        [12 + 20 * j, 6, 17, 30, own],
        [12 + 20 * j, 37, 17, 10, other],
        [12 + 20 * j, 48, 17, 7, last],
      ] as const
    }),
  },
  discriminant: {
    lines: [
      [bell(42, 14, 22), 1],
      [bell(78, 14, 22), 2],
      [curve(x => 54 - 46 / (1 + Math.exp(-(x - 60) / 6))), 7],
    ],
  },
  spam: {
    boxes: [
      [60, 6, 14, 7, 2],
      [44, 15, 30, 7, 1],
      [44, 24, 20, 7, 2],
      [64, 33, 32, 7, 2],
      [86, 42, 10, 7, 1],
    ],
    lines: [["M60 2V56", 8]],
  },
  "infinite-log-loss": {
    lines: [
      [curve(x => 52 - 900 / (x - 2), 22, 116), 2],
      [curve(x => 46 - 22 * Math.exp(-(x - 4) / 25)), 1],
    ],
  },
  hoeffding: {
    lines: [
      [curve(x => 30 - 130 / Math.sqrt(x + 20) + 8), 2],
      [curve(x => 30 + 130 / Math.sqrt(x + 20) - 8), 2],
      ["M4 30H116", 8],
    ],
    dots: [
      [12, 18, 2, 1],
      [22, 40, 2, 1],
      [34, 24, 2, 1],
      [48, 35, 2, 1],
      [62, 27, 2, 1],
      [78, 33, 2, 1],
      [94, 29, 2, 1],
      [108, 31, 2, 1],
    ],
  },
  posterior: {
    lines: [
      [bell(48, 24, 20), 8],
      [bell(74, 10, 44), 1],
    ],
    dots: [
      [66, 54, 3, 1],
      [74, 54, 3, 1],
      [84, 54, 3, 1],
    ],
  },
  "rows-grow": {
    lines: [
      [curve(x => 38 - 28 * Math.exp(-x / 16)), 1],
      [curve(x => 52 - 50 * Math.exp(-x / 34)), 2],
      ["M4 55H116", 8],
    ],
  },
  toy: {
    lines: [
      [bell(60, 26, 22), 1],
      [bell(30, 2, 48), 2],
      [bell(92, 2, 18), 2],
    ],
  },
  holes: {
    dots: [...(cloud(38, 22, 3) ?? []), ...(cloud(80, 36, 4) ?? [])],
    lines: [
      ["M34 56L86 4", 8],
      ["M4 12H9M4 20H9M4 27H9", 3],
      ["M4 33H9M4 41H9", 4],
      ["M30 57V52M42 57V52", 3],
      ["M76 57V52M90 57V52M98 57V52", 4],
    ],
  },
  "hidden-states": {
    lines: [["M4 44H30V14H58V30H92V46H116", 7]],
    dots: [
      [8, 40, 2, 1],
      [18, 48, 2, 1],
      [26, 42, 2, 1],
      [36, 10, 2, 2],
      [44, 18, 2, 2],
      [54, 12, 2, 2],
      [64, 34, 2, 3],
      [76, 26, 2, 3],
      [86, 32, 2, 3],
      [98, 50, 2, 1],
      [108, 42, 2, 1],
    ],
  },
  topics: {
    boxes: [
      ...(board(12, 8, (x, y) => x === 3 || y === 1) ?? []),
      ...(board(64, 8, (_, y) => y === 1) ?? []),
    ],
  },
  network: {
    lines: [["M56 14L36 28M64 14L84 28M36 34L56 48M84 34L64 48", 8]],
    dots: [
      [60, 11, 7, 8],
      [30, 31, 7, 3],
      [90, 31, 7, 1],
      [60, 51, 7, 7],
    ],
  },
}
