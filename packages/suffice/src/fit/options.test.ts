import { expect, test } from "vitest"
import type { Model } from "../contract/model.ts"
import type { Fitted } from "../fit/fitted.ts"
import { classes, fit, gaussian, gaussianKind, independent, mixture } from "../index.ts"
import { evaluate, split } from "../measure.ts"
import { loadPredictor } from "../predict.ts"

const rows = Array.from({ length: 40 }, (_, i) => ({ y: i % 2 ? "a" : "b", x: (i % 2) * 3 + (i % 5) }))
const model = classes("y", mixture(2, independent({ x: gaussian() }), { name: "part" }))
const fitted = (await fit(model as Model, rows as never)) as Fitted
const page = loadPredictor(JSON.stringify(fitted), { families: [gaussianKind] })

/** Every answer that takes options, with one that is none. */
const misspelt: Record<string, () => unknown> = {
  predict: () => fitted.predict(rows, { traget: "x" } as never),
  "predict, by the name its answer has": () => fitted.predict(rows, { target: "x", interval: 0.9 } as never),
  "predict, on a page": () => page.predict(rows, { coverge: 0.9 } as never),
  posterior: () => fitted.posterior(rows, { priors: { a: 1 } } as never),
  responsibilities: () => fitted.responsibilities(rows, { off: "part" } as never),
  decide: () => fitted.decide(rows, { rejct: 0.1 } as never),
  impute: () => fitted.impute(rows, { draw: 3 } as never),
  anomalies: () => fitted.anomalies(rows, { quantil: 0.1 } as never),
  sample: () => fitted.sample(3, { sed: 1 } as never),
  explain: () => fitted.explain(rows[0], { agianst: "a" } as never),
  prototypes: () => fitted.prototypes(rows, { cuont: 1 } as never),
}

function said(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    return (error as Error).message
  }
  return "nothing was thrown"
}

test("a misspelt option is refused by every answer", () => {
  const messages = Object.entries(misspelt).map(([name, run]) => [name, said(run)])
  expect(Object.fromEntries(messages)).toMatchInlineSnapshot(`
    {
      "anomalies": "anomalies: there is no option "quantil". It knows "quantile", "usual" and "by". Did you mean "quantile"?",
      "decide": "decide: there is no option "rejct". It knows "loss", "reject", "target", "prior" and "classWeights". Did you mean "reject"?",
      "explain": "explain: there is no option "agianst". It knows "target", "level", "against" and "step". Did you mean "against"?",
      "impute": "impute: there is no option "draw". It knows "draws" and "seed". Did you mean "draws"?",
      "posterior": "posterior: there is no option "priors". It knows "target", "prior" and "classWeights". Did you mean "prior"?",
      "predict": "predict: there is no option "traget". It knows "target", "prior", "classWeights", "coverage" and "past". Did you mean "target"?",
      "predict, by the name its answer has": "predict: there is no option "interval". It knows "target", "prior", "classWeights", "coverage" and "past". Leave it out.",
      "predict, on a page": "predict: there is no option "coverge". It knows "target", "prior", "classWeights", "coverage" and "past". Did you mean "coverage"?",
      "prototypes": "prototypes: there is no option "cuont". It knows "target" and "count". Did you mean "count"?",
      "responsibilities": "responsibilities: there is no option "off". It knows "of". Did you mean "of"?",
      "sample": "sample: there is no option "sed". It knows "seed", "given", "words" and "steps". Did you mean "seed"?",
    }
  `)
})

test("a seed is a finite number wherever dice are thrown", async () => {
  for (const seed of [Number.NaN, Number.POSITIVE_INFINITY, "7" as never, null as never]) {
    const seeded: Record<string, () => unknown> = {
      sample: () => fitted.sample(1, { seed }),
      impute: () => fitted.impute(rows, { seed }),
      split: () => split(rows, { seed }),
      evaluate: () => evaluate(fitted, rows, { seed }),
    }
    for (const [name, run] of Object.entries(seeded)) {
      expect(run).toThrow(`${name}: seed is`)
      expect(run).toThrow("The dice need a finite number. Give any, or leave it out for 0.")
    }
    await expect(fit(model, rows, { seed })).rejects.toThrow("fit: seed is")
  }
})
