/**
 * Every page of the lab in a real browser: its handles are moved, and a number that it shows is computed a second time, here, by hand. The code that it
 * shows is run, and prints what the page says.
 */
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { LAB_PAGES } from "../lab/pages.ts"
import { runCode } from "./page-code.ts"
import { type Opened, openStudio, type Studio } from "./site.ts"

let studio: Studio
let opened: Opened
let page: Page
beforeAll(async () => {
  studio = await openStudio()
  opened = await studio.open("#/lab")
  page = opened.page
})
afterAll(() => studio?.close())

/** A page of the lab, open and computed. */
async function open(id: string): Promise<void> {
  await page.evaluate(hash => {
    location.hash = hash
  }, `#/lab/${id}`)
  await page.waitForSelector(`main h1:text-is("${LAB_PAGES.find(page => page.id === id)?.title}")`)
  await page.waitForSelector(".experiment")
  await settled()
}

/** Waits until nothing is computed. */
async function settled(): Promise<void> {
  // what was changed is computed from the next frame on
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))))
  await page.waitForSelector(".experiment[aria-busy=false]")
  expect(await page.locator("main [role=alert]").allTextContents()).toEqual([])
}

/** A number that the page shows, in full. */
async function read(name: string): Promise<number> {
  const value = await page.getAttribute(`dt:text-is("${name}") + dd data`, "value")
  return value === "Infinity" ? Number.POSITIVE_INFINITY : Number(value)
}

async function press(name: string, ...keys: string[]): Promise<void> {
  const handle = page.getByRole("slider", { name, exact: true })
  for (const key of keys) await handle.press(key)
  await settled()
}

async function slide(name: string, value: number): Promise<void> {
  await page.locator(`label:has-text("${name} =") input`).fill(String(value))
  await settled()
}

/** Runs the code of the page; it must print what it says. */
async function code(...names: string[]) {
  const ran = await runCode((await page.textContent("main > pre, main pre:not(.formula)")) as string, names)
  expect(ran.claimed.length).toBeGreaterThan(0)
  expect(ran.printed).toEqual(ran.claimed)
  return ran.values
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)
const mean = (values: readonly number[]): number => sum(values) / values.length
const normalDensity = (x: number, mean: number, sd: number): number =>
  Math.exp(-0.5 * ((x - mean) / sd) ** 2) / (sd * Math.sqrt(2 * Math.PI))

test("half-lives: steps of EM are those of the formula, from where the dots were dragged", async () => {
  await open("half-lives")
  await press("First guess of mean 1", "Shift+ArrowLeft", "ArrowLeft")
  for (let i = 0; i < 3; i++) await page.click("button:text-is('Next step')")
  await settled()
  const { rows } = await code("rows")
  const x: number[] = rows.map(({ halfLife }: { halfLife: number }) => halfLife)
  let kinds = [4.9, 7].map(mu => ({ share: 0.5, mu, sd: 1.5 }))
  for (let step = 0; step < 3; step++) {
    const joint = x.map(value => kinds.map(({ share, mu, sd }) => share * normalDensity(value, mu, sd)))
    const r = joint.map(row => row.map(value => value / sum(row)))
    kinds = kinds.map((_, k) => {
      const n = sum(r.map(row => row[k]))
      const mu = sum(x.map((value, i) => r[i][k] * value)) / n
      return {
        share: n / x.length,
        mu,
        sd: Math.sqrt(sum(x.map((value, i) => r[i][k] * (value - mu) ** 2)) / n),
      }
    })
  }
  const value = sum(
    x.map(value => Math.log(sum(kinds.map(({ share, mu, sd }) => share * normalDensity(value, mu, sd))))),
  )
  expect(await read("log-likelihood L")).toBeCloseTo(value, 8)
  expect(await read("mean of kind 1")).toBeCloseTo(kinds[0].mu, 8)
  expect(await read("sd of kind 2")).toBeCloseTo(kinds[1].sd, 8)
  expect(await read("gain of the next step")).toBeGreaterThan(0)
})

test("soft k-means: centres move as the formula says; one is dragged by the mouse", async () => {
  await open("soft-k-means")
  const handle = page.getByRole("slider", { name: "Start of centre 2" })
  await handle.scrollIntoViewIfNeeded()
  const box = (await handle.boundingBox()) as { x: number; y: number; width: number; height: number }
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + 90, box.y + 160, { steps: 4 })
  await page.mouse.up()
  await settled()
  await slide("step", 2)
  const { points, centres } = await code("points", "centres")
  expect(centres[1]).not.toEqual({ x: 2, y: 4.5 })
  let [mu, shares]: [{ x: number; y: number }[], number[]] = [centres, [1 / 3, 1 / 3, 1 / 3]]
  for (let step = 0; step < 2; step++) {
    const r = points.map((p: { x: number; y: number }) => {
      const w = mu.map((c, k) => shares[k] * Math.exp(-((p.x - c.x) ** 2 + (p.y - c.y) ** 2) / 2))
      return w.map(value => value / sum(w))
    })
    const n = mu.map((_, k) => sum(r.map((row: number[]) => row[k])))
    mu = mu.map((_, k) => ({
      x: sum(points.map((p: { x: number }, i: number) => r[i][k] * p.x)) / n[k],
      y: sum(points.map((p: { y: number }, i: number) => r[i][k] * p.y)) / n[k],
    }))
    shares = n.map(count => count / points.length)
  }
  expect(await read("centre 2, x")).toBeCloseTo(mu[1].x, 8)
  expect(await read("centre 3, y")).toBeCloseTo(mu[2].y, 8)
})

test("discriminant analysis: w and b by the formula, from the rows", async () => {
  await open("discriminant")
  await press("Mean of class 1", "Shift+ArrowRight")
  await slide("share φ of class 1", 0.3)
  const { rows } = await code("rows")
  const x = ["0", "1"].map(
    y => rows.filter((row: { y: string }) => row.y === y).map((row: { x: number }) => row.x) as number[],
  )
  const mu = x.map(mean)
  const variance = sum(x.flatMap((values, k) => values.map(value => (value - mu[k]) ** 2))) / rows.length
  expect(await read("w")).toBeCloseTo((mu[1] - mu[0]) / variance, 8)
  expect(await read("b")).toBeCloseTo(
    (mu[0] ** 2 - mu[1] ** 2) / 2 / variance - Math.log(x[0].length / x[1].length),
    8,
  )
  expect(await read("largest gap to the formula")).toBeLessThan(1e-12)
})

test("infinite log-loss: infinite by maximum likelihood, finite when smoothed", async () => {
  await open("infinite-log-loss")
  expect(await read("log-loss of maximum likelihood")).toBe(Number.POSITIVE_INFINITY)
  await code()
  await press("True chance of heads", "ArrowLeft", "ArrowLeft")
  await slide("heads among them", 7)
  await slide("pseudo-count α", 2)
  const loss = (q: number): number => -0.86 * Math.log(q) - 0.14 * Math.log(1 - q)
  expect(await read("log-loss of maximum likelihood")).toBeCloseTo(loss(0.7), 10)
  expect(await read("log-loss of the smoothed estimate")).toBeCloseTo(loss(9 / 14), 10)
  expect(await read("ln(m + 2): add-one is never worse")).toBeCloseTo(Math.log(12), 12)
  await code()
})

test("Hoeffding: the bound by its formula, and the mean error is that of the central limit", async () => {
  await open("hoeffding")
  await press("True chance of heads", "ArrowRight", "ArrowRight")
  await slide("δ", 0.1)
  expect(await read("bound ε at m = 100")).toBeCloseTo(Math.sqrt(Math.log(20) / 200), 12)
  const expected = Math.sqrt((2 * 0.34 * 0.66) / (Math.PI * 100))
  const spread = Math.sqrt(((1 - 2 / Math.PI) * 0.34 * 0.66) / 100 / 40)
  expect(Math.abs((await read("mean error at m = 100")) - expected)).toBeLessThan(4 * spread)
  await code()
})

test("posterior: the next row's mean and the evidence by the conjugate update", async () => {
  await open("posterior")
  await page.click("button:text-is('One more row')")
  await press("Mean of the prior", "ArrowLeft", "ArrowLeft")
  await press("Row 1", "Shift+ArrowRight")
  const rows = [191, 177, 186, 168]
  const [m0, k0, n] = [168, 2, rows.length]
  expect(await read("expected height of the next")).toBeCloseTo((k0 * m0 + sum(rows)) / (k0 + n), 9)
  // the evidence by the chain of one-step predictives: a product of t densities
  let [k, m, nu, scatter, evidence] = [k0, m0, 4, 4 * 100, 0]
  for (const x of rows) {
    const s2 = (scatter / nu) * (1 + 1 / k)
    const gap = lnGamma((nu + 1) / 2) - lnGamma(nu / 2)
    evidence +=
      gap - 0.5 * Math.log(nu * Math.PI * s2) - ((nu + 1) / 2) * Math.log(1 + (x - m) ** 2 / (nu * s2))
    scatter += (k * (x - m) ** 2) / (k + 1)
    m = (k * m + x) / (k + 1)
    k += 1
    nu += 1
  }
  expect(await read("evidence ln p(rows)")).toBeCloseTo(evidence, 9)
  await code()
})

/** ln Γ of a whole or half number. */
function lnGamma(z: number): number {
  let value = z % 1 === 0 ? 0 : 0.5 * Math.log(Math.PI)
  for (let x = z - 1; x > 0; x--) value += Math.log(x)
  return value
}

test("toy: maximum likelihood by hand, and the share that is right by the learned normals", async () => {
  await open("toy")
  await press("Second place of red", "Shift+ArrowLeft")
  const { rows } = await code("rows")
  const red = rows
    .filter((row: { colour: string }) => row.colour === "red")
    .map((row: { x: number }) => row.x) as number[]
  expect(await read("maximum likelihood: mean of red")).toBeCloseTo(mean(red), 8)
  const [described, told] = [
    await read("right by maximum likelihood"),
    await read("right by conditional likelihood"),
  ]
  // the rows themselves, sorted by the boundaries of normals that are computed here
  const blue = rows
    .filter((row: { colour: string }) => row.colour === "blue")
    .map((row: { x: number }) => row.x) as number[]
  const [b, r] = [blue, red].map(x => ({
    n: x.length,
    mu: mean(x),
    sd: Math.sqrt(mean(x.map(v => (v - mean(x)) ** 2))),
  }))
  const right = rows.filter(
    ({ colour, x }: { colour: string; x: number }) =>
      b.n * normalDensity(x, b.mu, b.sd) > r.n * normalDensity(x, r.mu, r.sd) === (colour === "blue"),
  ).length
  expect(Math.abs(described / 100 - right / rows.length)).toBeLessThan(4 * Math.sqrt(0.25 / rows.length))
  expect(told).toBeGreaterThan(described + 3)
  expect(await read("right at best (Bayes)")).toBeGreaterThan(told)
})

test("strings: steps of EM by the formula; a pattern is written, the copyist made careful", async () => {
  await open("strings")
  await press("Chance that a letter is kept", "Shift+ArrowUp")
  await page.fill("label:has-text('Second pattern') input", "ccaab")
  await slide("step", 2)
  const { rows, start, blurred } = await code("rows", "start", "blurred")
  expect(blurred(1, 0)[2]).toBe(0.9)
  type Letters = Record<string, { probabilities: Record<string, number> }>
  let shares = [0.5, 0.5]
  let kinds = [start.kind.given[0], start.kind.given[1]] as Letters[]
  const joint = (row: Record<string, string>): number[] =>
    kinds.map((letters, k) =>
      Object.entries(row).reduce((p, [name, letter]) => p * letters[name].probabilities[letter], shares[k]),
    )
  for (let step = 0; step < 2; step++) {
    const r = rows.map((row: Record<string, string>) => joint(row).map((value, _, all) => value / sum(all)))
    const n = [0, 1].map(k => sum(r.map((row: number[]) => row[k])))
    kinds = kinds.map((letters, k) =>
      Object.fromEntries(
        Object.keys(letters).map(name => {
          const share = (letter: string): number =>
            sum(rows.map((row: Record<string, string>, i: number) => (row[name] === letter ? r[i][k] : 0))) /
            n[k]
          return [name, { probabilities: { a: share("a"), b: share("b"), c: share("c") } }]
        }),
      ),
    )
    shares = n.map(count => count / rows.length)
  }
  const value = sum(rows.map((row: Record<string, string>) => Math.log(sum(joint(row)))))
  expect(await read("log-likelihood")).toBeCloseTo(value, 8)
  expect(await read("share of the first kind found")).toBeCloseTo(shares[0], 8)
  await slide("step", 30)
  const found = await page
    .locator("dt:has-text('kind found') + dd data")
    .evaluateAll(all => all.map(one => one.getAttribute("value")))
  expect(found.slice(1).sort()).toEqual(["aabbc", "ccaab"])
  expect(await read("strings sorted as they were drawn")).toBeGreaterThan(95)
})

test("spam: the odds by counting words, from a message that is written and a prior that is dragged", async () => {
  await open("spam")
  await page.fill("label:has-text('A message') textarea", "Free call tonight, free zebrafish")
  await press("Log-odds of spam before the first word", "Shift+ArrowLeft")
  await slide("pseudo-count α", 0.5)
  await page.click("[aria-label^='Words of the message'] button:text-is('tonight')")
  await settled()
  const { train, words } = await code("train", "words")
  expect(words).toEqual(["free", "call", "free", "zebrafish"])
  const cut = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const counts = ["spam", "ham"].map(kind => {
    const all = train.flatMap((mail: { kind: string; text: string }) =>
      mail.kind === kind ? cut(mail.text) : [],
    ) as string[]
    return { all, of: (word: string) => all.filter(other => other === word).length }
  })
  const vocabulary = new Set(counts.flatMap(({ all }) => all)).size
  const weight = (word: string): number => {
    const [spam, ham] = counts.map(({ all, of }) =>
      Math.log((of(word) + 0.5) / (all.length + 0.5 * vocabulary)),
    )
    return spam - ham
  }
  expect(await read("log-odds of spam")).toBeCloseTo(-1 + 2 * weight("free") + weight("call"), 5)
  expect(await read("words of it that were seen before")).toBe(3)
})

test("rows grow: naive Bayes by hand, the truth's own error, and who is ahead when", async () => {
  await open("rows-grow")
  await press("Centre of kind 1", "ArrowRight")
  const { draw, test, columns } = await code("draw", "test", "columns")
  type Row = Record<string, number> & { kind: string }
  const wrong = (score: (row: Row) => number): number =>
    test.filter((row: Row) => score(row) > 0 !== (row.kind === "1")).length / test.length
  const errors = Array.from({ length: 8 }, (_, time) => {
    const rows: Row[] = draw(20, 2000 + time)
    const lines = columns.map((name: string) => {
      const [a, b] = ["0", "1"].map(kind => mean(rows.filter(row => row.kind === kind).map(row => row[name])))
      const variance = mean(rows.map(row => (row[name] - (row.kind === "1" ? b : a)) ** 2))
      return { name, w: (b - a) / variance, middle: (a + b) / 2 }
    })
    return wrong(row =>
      sum(
        lines.map(
          ({ name, w, middle }: { name: string; w: number; middle: number }) => w * (row[name] - middle),
        ),
      ),
    )
  })
  expect(await read("error of counting at m = 20")).toBeCloseTo(100 * mean(errors), 8)
  // d = (1.3, 0.2) around (0.05, 0), correlation ½: w ∝ (d₁ − d₂/2, d₂ − d₁/2)
  const best = wrong(({ x, y }) => 1.2 * (x - 0.05) - 0.45 * y)
  expect(await read("error of the truth itself")).toBeCloseTo(100 * best, 8)
  expect(await read("error of climbing at m = 20")).toBeGreaterThan(await read("error of counting at m = 20"))
  await slide("rows m", 6)
  expect(await read("error of climbing at m = 640")).toBeLessThan(await read("error of counting at m = 640"))
})

test("holes: half a row is answered by the margin of the learned normals", async () => {
  await open("holes")
  await page.getByRole("checkbox", { name: "y" }).uncheck()
  await press("Row asked for", "Shift+ArrowRight")
  const { fitted } = await code("fitted")
  const { kind } = fitted.describe()
  const [a, b] = ["a", "b"].map(level => {
    const { mean, covariance } = kind.given[level]["x, y"]
    return kind.probabilities[level] * normalDensity(1.4, mean.x, Math.sqrt(covariance.x.x))
  })
  expect(await read("p(b) of the row that is asked for")).toBeCloseTo((100 * b) / (a + b), 8)
  const losses = await Promise.all(
    ["sdEM, holes as they are", "EM, holes as they are", "logistic regression, holes filled by means"].map(
      name => read(`log-loss: ${name}`),
    ),
  )
  expect(losses[0]).toBeLessThan(Math.min(losses[1], losses[2]))
})

test("hidden states: what is believed and the best path, by recursions written here", async () => {
  await open("hidden-states")
  await press("Rate of restless", "ArrowDown", "ArrowDown")
  await press("Years seen", "ArrowRight", "ArrowRight")
  await slide("chance to stay", 0.8)
  const { steps } = await code("steps")
  expect(steps.length).toBe(62)
  const rates = [13, 20, 29]
  const logFactorial = (n: number): number => sum(Array.from({ length: n }, (_, i) => Math.log(i + 1)))
  const b = (count: number, k: number): number =>
    Math.exp(count * Math.log(rates[k]) - rates[k] - logFactorial(count))
  const a = (j: number, k: number): number => (j === k ? 0.8 : 0.1)
  let [alpha, paths, value] = [[1, 1, 1].map(x => x / 3), [0, 1, 2].map(k => ({ p: 1 / 3, path: [k] })), 0]
  steps.forEach(({ count }: { count: number }, t: number) => {
    const before = alpha
    alpha = [0, 1, 2].map(k => b(count, k) * (t === 0 ? 1 / 3 : sum(before.map((p, j) => p * a(j, k)))))
    const scale = sum(alpha)
    value += Math.log(scale)
    alpha = alpha.map(p => p / scale)
    const earlier = paths
    paths = [0, 1, 2].map(k => {
      const from =
        t === 0
          ? { p: 1 / 3, path: [] as number[] }
          : earlier.map(({ p, path }, j) => ({ p: p * a(j, k), path })).reduce((x, y) => (y.p > x.p ? y : x))
      return { p: (from.p * b(count, k)) / scale, path: [...from.path, k] }
    })
  })
  expect(await read("log-likelihood so far")).toBeCloseTo(value, 8)
  expect(await read("held restless in that year")).toBeCloseTo(100 * alpha[2], 8)
  const agreed = paths[0].path.findIndex((_, t) => new Set(paths.map(({ path }) => path[t])).size > 1)
  expect(await read("years that all three paths agree on")).toBe(agreed)
  const best = paths.reduce((x, y) => (y.p > x.p ? y : x)).path
  expect(await read("changes of state on the best path")).toBe(
    best.filter((k, t) => t > 0 && k !== best[t - 1]).length,
  )
  await slide("years seen", 107)
  const guessed = await read("log-likelihood so far")
  await page.click("button:text-is('Learn rates by EM from here')")
  await settled()
  expect(await read("log-likelihood so far")).toBeGreaterThan(guessed)
  await code()
})

test("topics: every bar is found, and the proportions of a document solve their equation", async () => {
  await open("topics")
  await slide("step", 30)
  expect(await read("bars found (nine tenths alike)")).toBe(10)
  await page.click("[aria-label='Squares of your document'] button[aria-label=a1]")
  await settled()
  const { fitted, bars } = await code("fitted", "bars")
  const words = new Set<string>([...bars[1], ...bars[8], "a1"])
  // θ_k = (α_k + Σ_w r_wk) / (Σα + words), r_wk ∝ θ_k φ_kw
  const topics = fitted
    .topics({ top: 25 })
    .map(({ alpha, words }: { alpha: number; words: { word: string; probability: number }[] }) => ({
      alpha,
      phi: Object.fromEntries(words.map(({ word, probability }) => [word, probability])),
    }))
  let theta: number[] = topics.map(() => 1 / topics.length)
  for (let time = 0; time < 5000; time++) {
    const next = topics.map(({ alpha }: { alpha: number }) => alpha)
    for (const word of words) {
      const r = theta.map((share, k) => share * topics[k].phi[word])
      for (const [k, value] of r.entries()) next[k] += value / sum(r)
    }
    theta = next.map((value: number) => value / sum(next))
  }
  expect(await read("share of the first topic of your document")).toBeCloseTo(100 * Math.max(...theta), 2)
})

test("network: what is seen and what is done, by summing the product of the tables", async () => {
  await open("network")
  await press("p(rain | no cloudy)", "ArrowRight", "ArrowRight")
  const card = (title: string) => page.getByRole("group", { name: title, exact: true })
  type Row = readonly [c: number, s: number, r: number, w: number]
  const rows: Row[] = Array.from({ length: 16 }, (_, i) => [(i >> 3) & 1, (i >> 2) & 1, (i >> 1) & 1, i & 1])
  const take = (p: number, yes: number): number => (yes === 1 ? p : 1 - p)
  const joint = ([c, s, r, w]: Row, held: boolean): number =>
    0.5 *
    (held ? s : take([0.5, 0.1][c], s)) *
    take([0.24, 0.8][c], r) *
    take([0.02, 0.9, 0.9, 0.98][2 * s + r], w)
  const total = (held: boolean, where: (row: Row) => boolean): number =>
    sum(rows.filter(where).map(row => joint(row, held)))

  const wet = total(false, ([, , , w]) => w === 1)
  expect(await read("p(what is seen)")).toBeCloseTo(wet, 12)
  expect(await read("p(rain)")).toBeCloseTo(
    (100 * total(false, ([, , r, w]) => w === 1 && r === 1)) / wet,
    10,
  )
  await code()

  // a second cell that is seen explains the first away
  const before = await read("p(rain)")
  await card("Sprinkler on").getByRole("button", { name: "yes" }).press("Enter")
  await settled()
  const both = total(false, ([, s, , w]) => w === 1 && s === 1)
  const cloudySeen = await read("p(cloudy)")
  expect(await read("p(rain)")).toBeCloseTo(
    (100 * total(false, ([, s, r, w]) => w === 1 && s === 1 && r === 1)) / both,
    10,
  )
  expect(await read("p(rain)")).toBeLessThan(before)
  await code()

  // turned on from outside, it says less of the sky
  await page.getByRole("radio", { name: "done" }).check()
  await card("Sprinkler on").getByRole("button", { name: "yes" }).press("Enter")
  await settled()
  const done = total(true, ([, , , w]) => w === 1)
  expect(await read("p(cloudy)")).toBeCloseTo(
    (100 * total(true, ([c, , , w]) => w === 1 && c === 1)) / done,
    10,
  )
  expect(await read("p(cloudy)")).toBeGreaterThan(cloudySeen)
  expect(await page.locator("line.cut").count()).toBe(1)
  await code()
  await page.click("button:text-is('Forget everything')")
  await settled()
  expect(await read("p(cloudy)")).toBeCloseTo(50, 12)
  await code()
})

test("nothing was asked of others, and nothing went wrong", () => {
  expect(opened.foreign).toEqual([])
  expect(opened.errors).toEqual([])
})
