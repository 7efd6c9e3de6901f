/** The first file of a worker in a browser. */

import type { Command } from "./messages.ts"
import { commandHandler } from "./worker.ts"

const handle = commandHandler((reply, transfer) => self.postMessage(reply, { transfer }))
self.onmessage = ({ data }: MessageEvent<Command>) => handle(data)
