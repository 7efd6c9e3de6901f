/** Builds of packages whose sources changed: what they print is shown only if they fail. */
import { spawn } from "node:child_process"
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { ended, STOPPED } from "./processes.ts"
import { Refusal } from "./refusal.ts"

export interface Package {
  readonly folder: string
  /** The file that a build writes last. */
  readonly built: string
  /** The folders it is made from; by default its `src`. */
  readonly sources?: readonly string[]
}

/** What the command loads, each after what it is compiled against. */
export const COMMAND: readonly Package[] = [
  { folder: "packages/suffice", built: "dist/index.js" },
  { folder: "packages/files", built: "dist/index.js" },
  { folder: "packages/spark", built: "dist/worker.bundle.mjs" },
  { folder: "packages/cli", built: "dist/main.js" },
]
/** The page of `suffice studio`, bundled from the sources of the packages and the documentation. */
export const STUDIO: readonly Package[] = [
  {
    folder: "packages/studio",
    built: "dist/index.html",
    sources: [
      "packages/studio/src",
      "packages/suffice/src",
      "packages/files/src",
      "packages/cli/src",
      "docs",
    ],
  },
]

/** The builds of a run, one after the other. */
export interface Builds {
  /** Start to build the packages that are not current. */
  begin(packages: readonly Package[]): void
  /** Wait, with one line if there is something to wait for. Rejects if a package cannot be built. */
  finish(line: string): Promise<void>
  /** End the process that builds. */
  end(): void
}

/** Builds of the packages below a root; without a root, none. */
export function openBuilds(root: string | undefined, say: (text: string) => Promise<void>): Builds {
  let build: Build | undefined
  return {
    begin(packages) {
      if (root !== undefined) build = startBuild(root, packages)
    },
    async finish(line) {
      const from = performance.now()
      const isLine = build?.isRunning() === true
      if (isLine) await say(`${line} … `)
      try {
        await build?.done
      } finally {
        if (isLine) await say(`${((performance.now() - from) / 1000).toFixed(0)} s\n`)
      }
    },
    end: () => build?.end(),
  }
}

interface Build {
  /** Rejects with what was printed, if a package cannot be built. */
  readonly done: Promise<void>
  isRunning(): boolean
  end(): void
}

function startBuild(root: string, packages: readonly Package[]): Build {
  const stale = packages.filter(it => !isCurrent(root, it))
  let left = stale.length
  let end = (): void => undefined
  async function all(): Promise<void> {
    for (const { folder } of stale) {
      const child = spawn(`npm run -s build -w ${folder}`, {
        cwd: root,
        shell: true,
        stdio: ["ignore", "pipe", "pipe"],
      })
      end = () => void child.kill()
      const chunks: Buffer[] = []
      const code = await ended(child, chunk => chunks.push(chunk))
      if (code !== 0) throw failure(folder, code, Buffer.concat(chunks).toString("utf8"))
      left--
    }
  }
  const done = all().finally(() => {
    left = 0
  })
  // a failure is reported where it is awaited
  done.catch(() => undefined)
  return { done, isRunning: () => left > 0, end: () => end() }
}

function failure(folder: string, code: number, printed: string): Refusal {
  if (code === STOPPED) return new Refusal("stopped by Ctrl-C.", code)
  return new Refusal(
    `${folder} could not be built. What its build printed stands above. Try again after: npm ci`,
    code,
    printed,
  )
}

/** Built, and not before its source was last changed. */
function isCurrent(root: string, { folder, built, sources = [join(folder, "src")] }: Package): boolean {
  const file = join(root, folder, built)
  if (!existsSync(file)) return false
  const { mtimeMs } = statSync(file)
  return sources.every(source =>
    readdirSync(join(root, source), { recursive: true, encoding: "utf8" })
      // files, but no folders
      .filter(name => /\.\w+$/.test(name) && !name.endsWith(".test.ts"))
      .every(name => statSync(join(root, source, name)).mtimeMs <= mtimeMs),
  )
}
