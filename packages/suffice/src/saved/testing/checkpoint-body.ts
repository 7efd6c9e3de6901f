/** The body of a checkpoint, to be changed: it is written again with a digest that is right. */
import { digest } from "../../kernels/digest.ts"

export function bodyOf<Body>(bytes: Uint8Array): Body {
  const text = new TextDecoder().decode(bytes)
  return JSON.parse(text.slice(text.indexOf("\n") + 1))
}

export function checkpointOf(body: unknown): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(body))
  const line = `suffice checkpoint 2 ${digest(text).toString(16).padStart(8, "0")}\n`
  return new Uint8Array([...new TextEncoder().encode(line), ...text])
}
