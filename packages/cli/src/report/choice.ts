/** What was tried, and why the winner. */
import { isChosen, learnerWords } from "../auto.ts"
import { byOutcome, type ChoiceAnswer } from "../choosing.ts"
import { count, plain } from "../format.ts"
import type { Section } from "./document.ts"
import { html, htmlTable } from "./html.ts"

export function choiceSection({ trials, baselines, why, advice, command, ...chosen }: ChoiceAnswer): Section {
  const sorted = byOutcome(trials)
  const body = html`<p class="verdict">${why}</p>
${advice !== undefined && html`<p>${advice}</p>`}
<p>The same again, without choosing:</p>
<pre><code>${command}</code></pre>
${htmlTable(
  "Log-loss on rows that were not learned from, ± one standard error",
  [
    { title: "model" },
    { title: "learned by" },
    { title: "log-loss", number: true },
    { title: "free parameters", number: true },
    { title: "rows learned from", number: true },
    { title: "folds", number: true },
    { title: "judged on", number: true },
    { title: "outcome" },
  ],
  [
    ...sorted.map(one => [
      one.model,
      `${learnerWords(one.learner)}${one.calibrated ? ", calibrated" : ""}`,
      Number.isFinite(one.score) ? `${plain(one.score, 3)} ± ${plain(one.standardError, 2)}` : "–",
      Number.isFinite(one.free) ? count(one.free) : "–",
      count(one.rows),
      count(one.folds),
      count(one.judged),
      isChosen(one, chosen)
        ? "chosen"
        : (one.refused ?? (one.dropped === undefined ? "compared to the end" : `dropped: ${one.dropped}`)),
    ]),
    ...baselines.map(one => [
      one.name,
      `${one.c === undefined ? "" : `C = ${plain(one.c, 2)}`}${one.calibrated ? ", calibrated" : ""}`,
      Number.isFinite(one.score) ? `${plain(one.score, 3)} ± ${plain(one.standardError, 2)}` : "–",
      "–",
      count(one.rows),
      count(one.folds),
      count(one.judged),
      one.refused ?? (one.dropped === undefined ? "baseline: shown, not chosen" : `dropped: ${one.dropped}`),
    ]),
  ],
)}`
  return { id: "choice", title: "What was tried", body }
}
