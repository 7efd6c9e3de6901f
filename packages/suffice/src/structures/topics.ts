/** `topics(own, column)`: documents as mixtures of topics. */
import type { Bag } from "../contract/cells.ts"
import type { Model } from "../contract/model.ts"
import { SufficeError, show } from "../errors.ts"
import { type TopicsOptions, topicsFamily } from "../families/topics/topics.ts"
import { leafModel } from "./leaf.ts"

/** `own`: topics of each context. `column`: bags of words. */
export function topics<const Name extends string>(
  own: number,
  column: Name,
  options: TopicsOptions = {},
): Model<{ [Column in Name]: Bag }, never> {
  if (typeof column !== "string") {
    throw new SufficeError(
      "model",
      `topics: the column is ${show(column)}. It takes a number of topics and the name of a column of texts. Write for example topics(20, "words").`,
    )
  }
  return leafModel(topicsFamily(own, options), [column])
}
