/** What a subject makes of data that is open. */
import type { DataPaths } from "./data.ts"
import type { LooseFitted } from "./loose.ts"
import type { Session } from "./terminal/session.ts"

/** The data and the options of a command. */
export interface Given<Options> {
  readonly session: Session
  readonly paths: DataPaths
  readonly options: Options
}

/** The same with a fitted model. */
export interface Query<Options> extends Given<Options> {
  readonly fitted: LooseFitted
}

interface Closable {
  close(): Promise<void>
}

/** It reads data that is open until it is closed. */
export type Open<Made> = Made & Closable

/** Close the data with what is made of it, or at once if that fails. */
export async function opened<Made extends object>(
  data: Closable,
  make: () => Promise<Made>,
): Promise<Open<Made>> {
  try {
    return { ...(await make()), close: () => data.close() }
  } catch (error) {
    await data.close()
    throw error
  }
}
