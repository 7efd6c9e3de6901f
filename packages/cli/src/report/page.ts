/** The report of a command: its answers, as sections of one page. */
import type { Card } from "../answers.ts"
import { choiceSection } from "./choice.ts"
import { comparisonSection } from "./comparison.ts"
import { candidatesSection, componentsSection } from "./components.ts"
import { htmlDocument } from "./document.ts"
import { dataSection, factsSection, trainingSection } from "./facts.ts"
import { orderIn } from "./order.ts"
import { qualitySection } from "./quality.ts"
import { tellingSection } from "./telling.ts"

export function report(card: Card): string {
  const { title, lead, warnings } = card
  const order = orderIn(card)
  return htmlDocument({
    title,
    lead,
    warnings,
    sections: [
      card.compare && comparisonSection(card.compare),
      card.quality && qualitySection(card.quality, order),
      card.choice && choiceSection(card.choice),
      order && card.telling && card.telling.length > 0 && tellingSection(card.telling, order),
      card.candidates && candidatesSection(card.candidates),
      card.components && componentsSection(card.components),
      card.training && card.training.trace.length > 1 && trainingSection(card.training),
      card.data && dataSection(card.data),
      factsSection(card),
    ],
  })
}
