/** The first file of a worker in a browser. */
import { obeyer } from "./obey.ts"
import type { Order } from "./orders.ts"

const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<Order>) => void
  postMessage(message: unknown, transfer: ArrayBuffer[]): void
}
const obey = obeyer((answer, transfer) => scope.postMessage(answer, transfer))
scope.onmessage = ({ data }) => obey(data)
