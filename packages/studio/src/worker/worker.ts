/** The worker of the workbench: everything that is computed is computed here. */
import { type Line, serve } from "./channel.ts"

const functions = {
  /** How many threads there may be. */
  threads: (_: Line): number => navigator.hardwareConcurrency ?? 1,
}
export type Functions = typeof functions

serve(functions)
