/** The report of a command: its answers, as sections of one page. */
import type { Card } from "../answers.ts"
import { choiceSection } from "./choice.ts"
import { comparisonSection } from "./comparison.ts"
import { candidatesSection, componentsSection } from "./components.ts"
import { htmlDocument } from "./document.ts"
import { dataSection, factsSection, trainingSection } from "./facts.ts"
import { learnedSection } from "./learned.ts"
import { limitationsSection } from "./limitations.ts"
import { networkSection } from "./network.ts"
import { orderIn } from "./order.ts"
import { qualitySection } from "./quality.ts"
import { pathSection, statesSection } from "./sequences.ts"
import { tellingSection } from "./telling.ts"

export function report(card: Card): string {
  const { title, lead, warnings } = card
  const order = orderIn(card)
  const components = card.components && componentsSection(card.components)
  return htmlDocument({
    title,
    lead,
    warnings,
    sections: [
      card.compare && comparisonSection(card.compare),
      card.quality && qualitySection(card.quality, order),
      card.network && networkSection(card.network),
      card.candidates && candidatesSection(card.candidates),
      // groups that were looked for are the answer; those inside a level are a detail of it
      card.candidates && components,
      order && card.telling && card.telling.length > 0 && tellingSection(card.telling, order),
      card.path && pathSection(card.path),
      card.chains && card.chains.length > 0 && statesSection(card.chains),
      card.learned && learnedSection(card.learned),
      !card.candidates && components,
      limitationsSection(card),
      card.choice && choiceSection(card.choice),
      card.training?.stages.some(({ trace }) => trace.length > 1) && trainingSection(card.training),
      card.data && dataSection(card.data),
      factsSection(card),
    ],
  })
}
