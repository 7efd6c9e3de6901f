/**
 * A file appears whole or not at all: it is written under a temporary name beside its place and renamed at the end. It keeps the
 * permissions of the file it replaces, and a symbolic link stays one: the file it leads to is replaced.
 */
import { open, readlink, realpath, rename, stat } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { hold, partName, release, sweep } from "./temporary.ts"

/** Links that lead to links: more than any system follows. */
const LINKS = 40

/** Where a path leads: the file at the end of symbolic links, also if it is not there yet. */
export async function targetOf(path: string): Promise<string> {
  const there = await realpath(path).catch(() => undefined)
  if (there !== undefined) return (await isLink(path)) ? there : path
  let place = path
  for (let links = 0; links < LINKS; links++) {
    const next = await readlink(place).catch(() => undefined)
    if (next === undefined) return place
    place = resolve(dirname(place), next)
  }
  return path
}

async function isLink(path: string): Promise<boolean> {
  return (await readlink(path).catch(() => undefined)) !== undefined
}

/**
 * `fill` writes to an empty file that already has the permissions of the old one. What is not a regular file (a device, a pipe) is
 * written to directly.
 */
export async function replaceFile(path: string, fill: (place: string) => Promise<void>): Promise<void> {
  const target = await targetOf(path)
  const old = await stat(target).catch(() => undefined)
  if (old && !old.isFile()) return fill(target)
  const folder = dirname(target)
  await sweep(folder)
  const place = join(folder, partName(basename(target)))
  hold(place)
  try {
    const file = await open(place, "wx", old ? old.mode & 0o777 : 0o666)
    try {
      if (old) {
        // Whoever may write to a file of another user leaves it to that user, where the system allows it.
        const made = await file.stat()
        if (made.uid !== old.uid || made.gid !== old.gid)
          await file.chown(old.uid, old.gid).catch(() => undefined)
        await file.chmod(old.mode & 0o777)
      }
    } finally {
      await file.close()
    }
    await fill(place)
    await rename(place, target)
  } finally {
    await release(place)
  }
}
