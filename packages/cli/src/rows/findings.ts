/** The features that a model uses to tell levels apart, as findings. */
import type { Card, QualityAnswer } from "../answers.ts"
import type { Findings } from "../measured.ts"
import { levelsIn, tellingText } from "../quality.ts"
import type { Telling } from "../telling.ts"

/** `others`: further sections of the report. */
export function tellingFindings(
  telling: readonly Telling[],
  evaluation: QualityAnswer["evaluation"] | undefined,
  brief: boolean,
  others: () => Promise<Partial<Card>>,
): Findings {
  return {
    text: telling.length > 0 ? tellingText(telling, { brief, levels: levelsIn(evaluation!) }) : undefined,
    answer: { telling },
    sections: async () => ({ telling, ...(await others()) }),
  }
}
