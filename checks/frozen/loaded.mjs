/** Loader hooks: append the address of every module that is loaded to a file. */
import { appendFileSync } from "node:fs"

let file

export function initialize(data) {
  file = data.file
}

export async function load(url, context, next) {
  if (url.startsWith("file:")) appendFileSync(file, `${url}\n`)
  return next(url, context)
}
