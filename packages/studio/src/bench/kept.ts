/** The work is kept in the browser until it is thrown away: one record of IndexedDB; and as one file. */
import type { ModelChoice, Settings } from "./types.ts"

export interface Kept {
  readonly format: "suffice-studio"
  readonly version: 1
  readonly name: string
  readonly file: Blob
  readonly settings: Settings
  readonly choice: ModelChoice
  readonly models: readonly { readonly title: string; readonly json: string }[]
}

const [DATABASE, STORE, KEY] = ["suffice-studio", "work", "current"]

function store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => resolve(opening.result.transaction(STORE, mode).objectStore(STORE))
  })
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

export async function keep(work: Kept): Promise<void> {
  await done((await store("readwrite")).put(work, KEY))
}

export async function keptWork(): Promise<Kept | undefined> {
  return done((await store("readonly")).get(KEY))
}

export async function throwAway(): Promise<void> {
  await done((await store("readwrite")).delete(KEY))
}

/** One file: the data stands in it as a data: address. */
export async function asFile(work: Kept): Promise<string> {
  const data = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(work.file)
  })
  return JSON.stringify({ ...work, file: data.slice(data.indexOf(",") + 1) })
}

export function fromFile(json: Record<string, unknown>): Kept {
  const { version, file } = json
  if (version !== 1)
    throw new Error(
      `the saved work has version ${JSON.stringify(version)}, and this studio reads version 1. It was written by another version. Open it with that one, or drop its table and learn again.`,
    )
  const bytes = Uint8Array.from(atob(String(file)), sign => sign.charCodeAt(0))
  return { ...(json as unknown as Kept), file: new Blob([bytes]) }
}
