/** The first file of a worker in a browser. */
import { obeyer } from "./obey.ts"
import type { Order } from "./orders.ts"

const obey = obeyer((answer, transfer) => self.postMessage(answer, { transfer }))
self.onmessage = ({ data }: MessageEvent<Order>) => obey(data)
