/** A report: one file that opens offline. Every chart has its numbers in a table beside it. */
import type { Card } from "../answers.ts"
import { choiceSection } from "./choice.ts"
import { comparisonSection } from "./comparison.ts"
import { candidatesSection, componentsSection } from "./components.ts"
import { dataSection, factsSection, trainingSection } from "./facts.ts"
import { escaped, html } from "./html.ts"
import { qualitySection } from "./quality.ts"
import { STYLE } from "./style.ts"
import { tellingSection } from "./telling.ts"

export function report(card: Card): string {
  const body = html`<header><h1>${card.title}</h1><p class="lead">${card.lead}</p></header>
<main>
${card.warnings.map(text => html`<p class="verdict warning"><strong>Mind:</strong> ${text}</p>\n`)}
${card.compare && comparisonSection(card.compare)}
${card.quality && qualitySection(card.quality)}
${card.choice && choiceSection(card.choice)}
${card.telling && card.telling.length > 0 && tellingSection(card.telling)}
${card.candidates && candidatesSection(card.candidates)}
${card.components && componentsSection(card.components)}
${card.training && card.training.trace.length > 1 && trainingSection(card.training)}
${card.data && dataSection(card.data)}
${factsSection(card)}
</main>
<footer>Made by Suffice. This file fetches nothing; it can be kept, sent and opened anywhere.</footer>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${escaped(card.title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body.text}
</body>
</html>
`
}
