/**
 * Our side of the race: `node ours.js JOB`, JOB being { kind, size, threads, folder, data, iterations } as JSON. It prepares, then answers
 * lines on the standard input: "round" with the seconds of one timed call by the clock and of the processor, "result" with what is
 * compared, "end" with the peak of its memory.
 */
import { createInterface } from "node:readline"
import { peak } from "../peak.ts"
import { NUMBERS } from "./numbers.ts"
import { asked } from "./ready.ts"
import { WORDS } from "./words.ts"

const ready = await { ...NUMBERS, ...WORDS }[asked.kind]()
const say = (answer: unknown): void => void process.stdout.write(`${JSON.stringify(answer)}\n`)
say({ ready: true })
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "round") say(await ready.round())
  else if (line === "result") say({ result: await ready.result() })
  else if (line === "end") {
    say({ memory: peak() })
    break
  }
}
process.exit(0)
