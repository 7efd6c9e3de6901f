/** The first file of a worker in Node. */
import { parentPort } from "node:worker_threads"
import { obeyer } from "./obey.ts"

const port = parentPort!
port.on(
  "message",
  obeyer((answer, transfer) => port.postMessage(answer, transfer)),
)
