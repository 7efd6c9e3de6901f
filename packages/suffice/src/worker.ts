/**
 * `suffice/worker`: what other machines need to explore and sweep rows, and what a remote table is. For packages that bring rows from elsewhere, as suffice-spark
 * does; everything that crosses between machines is plain data or bytes.
 */

export type { Block } from "./contract/block.ts"
export { CHUNK } from "./data/cut.ts"
export type { ExploredPart } from "./data/discover.ts"
export type { Ranks } from "./engine/sample.ts"
export { judgeFrames, type PredictedRow, predictFrames } from "./fit/answer-frames.ts"
export { type Answer, packAnswer, readAnswer } from "./frames/answer.ts"
export { type BlockJson, blockFromJson, blockToJson } from "./frames/block-json.ts"
export { packData, readData } from "./frames/crossing.ts"
export type { ExploreTask } from "./frames/explorer.ts"
export { type Frame, packFrame, readFrame } from "./frames/frame.ts"
export {
  type JudgedPart,
  type JudgeTask,
  type PredictTask,
  REMOTE,
  type Remote,
  type RemoteTable,
} from "./frames/remote.ts"
export { learnFrames, type RoundAnswer, type RoundTask } from "./frames/round.ts"
export { Sweeper, type SweepTask } from "./frames/sweeper.ts"
export { exploreFrames, type Per, sweepFrames } from "./frames/work.ts"
export { CHUNKS_PER_STRETCH } from "./kernels/tiered.ts"
