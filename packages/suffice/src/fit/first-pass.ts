/** The first pass over a table: levels, words and scales, and the weight of rows without a label. */
import type { Knowledge } from "../answers/knowledge.ts"
import { type Discovery, discover, Exploration } from "../data/discover.ts"
import { forget } from "../data/encode.ts"
import type { Data } from "../data/read.ts"
import type { Weighting } from "../data/weigh.ts"
import { discoverRemote, remoteOf } from "../frames/remote.ts"
import type { FitRequest } from "./publish.ts"
import { type Learn, type UnlabelledWeight, weighUnlabelled } from "./unlabelled.ts"

export interface FirstPass {
  /** Before rows without a label are weighed. */
  readonly given: Discovery
  /** With the weight of rows without a label. */
  readonly found: Discovery
  readonly weighting: Weighting
  readonly unlabelled: UnlabelledWeight | undefined
}

/**
 * The pass is repeated without the rows that lack a label, if they weigh nothing: a word that occurs only in them would still take its share of every class.
 * `trial` runs a fit, to compare weights.
 */
export async function firstPass(
  request: FitRequest<unknown, string>,
  data: Data,
  before: Knowledge | undefined,
  trial: Learn,
): Promise<FirstPass> {
  const { model, learner, signal } = request
  const remote = remoteOf(data)
  const known = before?.schema
  const { scaling } = learner
  const mayBeEmpty = learner.beliefs !== undefined
  const explore = (weighting: Weighting): Promise<Discovery> => {
    if (!remote)
      return discover(model.uses, data, weighting, signal, known, scaling, mayBeEmpty, request.onRows)
    const task = { spec: model.spec, weighting, known: known?.columns, scaling }
    const exploration = new Exploration(model.uses, weighting, known, scaling)
    return discoverRemote(remote, exploration, task, columnsRead({ model, weighting }), signal)
  }
  const given = await explore(request.weighting)
  const unlabelled = await weighUnlabelled(request, data, given, before, trial)
  if (!unlabelled || unlabelled.weight === 1)
    return { given, found: given, weighting: request.weighting, unlabelled }
  forget(given.schema)
  const weighting = { ...request.weighting, unlabelled }
  return { given, found: await explore(weighting), weighting, unlabelled }
}

/** The columns of the model and of the weights. */
export function columnsRead({
  model,
  weighting,
}: Pick<FitRequest<unknown, string>, "model" | "weighting">): string[] {
  const seen = model.uses.filter(use => use.role !== "hidden").map(use => use.column)
  return [...new Set(weighting.column === undefined ? seen : [...seen, weighting.column])]
}
