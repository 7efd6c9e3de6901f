/**
 * A browser for tests, on a machine that has none: `@sparticuz/chromium` carries a Chromium for Linux on x64 inside its npm package,
 * with the libraries and a font that a bare machine lacks; `playwright-core` drives it. It is unpacked once, into node_modules/.cache.
 * On another system, playwright looks for an installed Chrome.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { brotliDecompressSync } from "node:zlib"
import { type Browser, chromium } from "playwright-core"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const CACHE = join(ROOT, "node_modules/.cache")

/** The font of the package alone, so that every machine lays a page out alike. */
function fontsOf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/font-cache</cachedir></fontconfig>
`
}

/** A browser, to be closed by who asked for it. How long it may take is the test's own limit. */
export function openBrowser(): Promise<Browser> {
  if (process.platform !== "linux" || process.arch !== "x64") {
    return chromium.launch({ channel: "chrome", timeout: 0 })
  }
  const folder = unpacked()
  return chromium.launch({
    executablePath: join(folder, "chromium"),
    // not the list of flags that comes with the package: --single-process ends the browser with its first context
    args: ["--no-sandbox"],
    env: { ...process.env, LD_LIBRARY_PATH: join(folder, "lib"), FONTCONFIG_PATH: folder },
    timeout: 0,
  })
}

/** The folder with the browser, its libraries (lib/) and its font (fonts/). */
function unpacked(): string {
  // the exports of the package name its code alone; bin/ lies two folders above it
  const code = dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium"))
  const packed = join(code, "../../bin")
  const { version } = JSON.parse(readFileSync(join(code, "../../package.json"), "utf8"))
  const folder = join(CACHE, `chromium-${version}`)
  if (existsSync(folder)) return folder
  mkdirSync(CACHE, { recursive: true })
  const fresh = mkdtempSync(join(CACHE, "unpacking-"))
  try {
    const inflated = (name: string): Buffer => brotliDecompressSync(readFileSync(join(packed, name)))
    writeFileSync(join(fresh, "chromium"), inflated("chromium.br"), { mode: 0o755 })
    for (const name of ["al2023.tar.br", "fonts.tar.br"]) {
      const { status, stderr } = spawnSync("tar", ["-xf", "-", "-C", fresh], { input: inflated(name) })
      if (status !== 0) throw new Error(`tar cannot unpack ${name} of @sparticuz/chromium: ${stderr}`)
    }
    writeFileSync(join(fresh, "fonts.conf"), fontsOf(folder))
    renameSync(fresh, folder)
  } catch (error) {
    // another process was first: what it unpacked is the same
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  return folder
}
