/** The first file of a worker in Node. */
import { parentPort } from "node:worker_threads"
import { readPlace } from "./node-disk.ts"
import { commandHandler } from "./worker.ts"

const port = parentPort!
port.on(
  "message",
  commandHandler((reply, transfer) => port.postMessage(reply, transfer), readPlace),
)
