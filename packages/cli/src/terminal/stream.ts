/** Writing to a stream that may be slow, full, or closed by its reader. */
import type { Writable } from "node:stream"
import { Closed, Failure } from "../failure.ts"

/** Resolves when the text has been taken; a reader that went away is `Closed`. */
export function write(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, error => (error ? reject(streamFailure(error)) : resolve()))
  })
}

export function streamFailure(error: Error): Error {
  const { code } = error as NodeJS.ErrnoException
  if (code === "EPIPE" || code === "ERR_STREAM_DESTROYED") return new Closed()
  return new Failure(
    "output",
    `the answer could not be written to the standard output: ${reasonOf(error)}. What is there is not complete. Make room, or write to another place with -o FILE.`,
  )
}

/** Why the operating system refused, in words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const known: Readonly<Record<string, string>> = {
    EACCES: "permission is denied",
    EPERM: "permission is denied",
    EROFS: "it is on a disk that is read-only",
    ENOENT: "there is no such file or folder",
    ENOTDIR: "a part of the path is a file, not a folder",
    EISDIR: "it is a folder",
    ENOSPC: "the disk is full",
    EDQUOT: "the disk quota is used up",
    EFBIG: "it is larger than a file may be here",
    ENAMETOOLONG: "the name is too long",
    EMFILE: "too many files are open",
    EIO: "the disk reports an error",
  }
  return known[code ?? ""] ?? message ?? String(error)
}
