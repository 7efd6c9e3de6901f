/** A folder of a web page, served on this machine alone. */
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join, normalize, sep } from "node:path"
import { Failure } from "../failure.ts"

export interface Site {
  /** Of its first page, with a slash at its end. */
  readonly address: string
  close(): Promise<void>
}

export interface SiteOptions {
  /** 0: any that is free. */
  readonly port: number
  /** Files beside the folder, by the path behind the address: "opened/penguins.csv". */
  readonly also?: Readonly<Record<string, string>>
}

const HOST = "127.0.0.1"
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
  ".csv": "text/csv; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
}

export async function serveFolder(folder: string, { port, also = {} }: SiteOptions): Promise<Site> {
  const server = createServer((request, response) => {
    answer(request, response, folder, also).catch(() => {
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", error => reject(taken(error, port)))
    server.listen(port, HOST, resolve)
  })
  const { port: own } = server.address() as AddressInfo
  return {
    address: `http://${HOST}:${own}/`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function taken(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code !== "EADDRINUSE" && error.code !== "EACCES") return error
  return new Failure(
    "usage",
    `--port ${port} cannot be listened on: ${error.code === "EACCES" ? "it needs rights that this program does not have" : "another program does already"}. The studio needs a port of its own. Name another, or leave --port out.`,
    { port },
  )
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  folder: string,
  also: Readonly<Record<string, string>>,
): Promise<void> {
  const end = (status: number): void => void response.writeHead(status).end()
  // a page of another site that a name leads here must not read what is served here
  const host = (request.headers.host ?? "").replace(/:\d+$/, "")
  if (host !== HOST && host !== "localhost") return end(403)
  if (request.method !== "GET" && request.method !== "HEAD") return end(405)
  const asked = wanted(request.url ?? "/")
  if (asked === undefined) return end(400)
  const path = Object.hasOwn(also, asked) ? also[asked] : inside(folder, asked)
  const found = path === undefined ? undefined : await stat(path).catch(() => undefined)
  if (!path || !found?.isFile()) return end(404)
  response.writeHead(200, {
    "content-type": TYPES[extname(path).toLowerCase()] ?? "application/octet-stream",
    "content-length": found.size,
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  })
  if (request.method === "HEAD") return void response.end()
  createReadStream(path)
    .on("error", () => response.destroy())
    .pipe(response)
}

/** The path behind the address, without its slash; the first page where there is none. */
function wanted(url: string): string | undefined {
  try {
    const path = decodeURIComponent(url.replace(/[?#].*$/s, "")).slice(1)
    return path === "" || path.endsWith("/") ? `${path}index.html` : path
  } catch {
    return undefined
  }
}

function inside(folder: string, path: string): string | undefined {
  const at = normalize(join(folder, path))
  return at.startsWith(folder + sep) && !path.includes("\0") ? at : undefined
}
