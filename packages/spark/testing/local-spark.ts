/** A real Spark on this machine: `pip install pyspark` into a folder of its own, found there the next time, and a Spark Connect server that belongs to whoever started it. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { randomInt } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs"
import { connect, createServer } from "node:net"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"

/** The version that is tested. */
export const TESTED = "4.3.0"
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "suffice")
const OLDEST_JAVA = 17
const INSTALL_LIMIT = 5 * 60_000

export type Found = { readonly home: string } | { readonly missing: string }

/** Where Spark is: SPARK_HOME, or a folder of our own into which it is installed; or a sentence that says what is missing. */
export function findSpark(say: (line: string) => void = () => undefined): Found {
  if (javaVersion() < OLDEST_JAVA) return { missing: `Java ${OLDEST_JAVA} or newer is not there.` }
  for (const command of ["bash", "ps"])
    if (!runs(command, ["--version"])) return { missing: `${command} is not there.` }
  const given = process.env.SPARK_HOME
  if (given !== undefined) {
    return hasConnect(given) ? { home: given } : { missing: `SPARK_HOME (${given}) has no Spark Connect.` }
  }
  const folder = join(CACHE, `pyspark-${TESTED}`)
  const home = join(folder, "pyspark")
  if (hasConnect(home)) return { home }
  if (!runs("python3", ["-m", "pip", "--version"])) return { missing: "python3 with pip is not there." }
  say(`Installing pyspark ${TESTED} into ${folder}: about 500 MB, once.`)
  mkdirSync(CACHE, { recursive: true })
  // two may install at the same time: the folder appears when it is whole
  const own = mkdtempSync(join(CACHE, "installing-"))
  try {
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-cache-dir"]
    execFileSync("python3", [...pip, "--target", own, `pyspark==${TESTED}`], {
      timeout: INSTALL_LIMIT,
      stdio: ["ignore", "ignore", "pipe"],
    })
    if (!existsSync(folder)) renameSync(own, folder)
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string }
    const said = (String(stderr ?? "").trim() || message).split("\n").at(-1)
    return { missing: `pyspark could not be installed: ${said?.replace(/\.$/, "")}.` }
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
  return hasConnect(home) ? { home } : { missing: `pyspark ${TESTED} has no Spark Connect.` }
}

/** 17 of 'openjdk version "17.0.15"', which is written to stderr; 0 if there is none. */
function javaVersion(): number {
  // the one that Spark takes
  const java = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, "bin/java") : "java"
  const { stderr } = spawnSync(java, ["-version"], { encoding: "utf8", timeout: 60_000 })
  return Number(/version "(\d+)/.exec(stderr ?? "")?.[1] ?? 0)
}

function hasConnect(home: string): boolean {
  const jars = join(home, "jars")
  return existsSync(jars) && readdirSync(jars).some(name => name.startsWith("spark-connect_"))
}

function runs(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: "ignore", timeout: 60_000 })
    return true
  } catch {
    return false
  }
}

export interface LocalSpark {
  readonly address: string
  /** The process of the server, whose children are executors and workers. */
  readonly pid: number
  /** Ends the server; after that it is gone. */
  end(): Promise<void>
}

export interface LocalOptions {
  /** "local[2]" by default; "local-cluster[2,1,1024]" has executors of their own. */
  readonly master?: string
  readonly port?: number
  readonly conf?: Readonly<Record<string, string>>
  /** For what is over in minutes: Java compiles little and collects garbage in one thread, for a third less processor time. */
  readonly brief?: boolean
}

/** Starts a server, and waits until it answers. */
export async function startSpark(
  home: string,
  { master = "local[2]", port, conf = {}, brief = false }: LocalOptions = {},
): Promise<LocalSpark> {
  const own = port ?? (await freePort())
  const work = mkdtempSync(join(tmpdir(), "suffice-spark-"))
  const java = brief ? " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC" : ""
  const settings = {
    "spark.ui.enabled": "false",
    "spark.connect.grpc.binding.address": "127.0.0.1",
    "spark.connect.grpc.binding.port": String(own),
    "spark.sql.warehouse.dir": join(work, "warehouse"),
    "spark.local.dir": join(work, "local"),
    "spark.driver.extraJavaOptions": `-Dderby.system.home=${work}${java}`,
    "spark.executor.extraJavaOptions": java.trim(),
    "spark.log.level": "ERROR",
    ...conf,
  }
  const child: ChildProcess = spawn(
    join(home, "bin/spark-submit"),
    [
      ...["--master", master, "--driver-memory", "1g", "--class"],
      "org.apache.spark.sql.connect.service.SparkConnectServer",
      ...Object.entries(settings).flatMap(([name, value]) => ["--conf", `${name}=${value}`]),
      "spark-internal",
    ],
    // the workers run the node that runs this
    {
      cwd: work,
      env: {
        ...process.env,
        SPARK_HOME: home,
        SPARK_LOCAL_IP: "127.0.0.1",
        PATH: `${join(process.execPath, "..")}:${process.env.PATH}`,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  )
  let said = ""
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (data: Buffer) => {
      said = (said + data.toString()).slice(-4000)
    })
  const gone = new Promise<void>(resolve => child.once("exit", () => resolve()))
  const end = async (): Promise<void> => {
    child.kill("SIGTERM")
    const forced = setTimeout(() => child.kill("SIGKILL"), 20_000)
    await gone
    clearTimeout(forced)
    // executors may still write for a moment
    rmSync(work, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
  while (!(await answers(own))) {
    if (child.exitCode !== null || child.signalCode !== null) {
      await end()
      throw new Error(`Spark did not start:\n${said}`)
    }
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  return { address: `sc://127.0.0.1:${own}`, pid: child.pid!, end }
}

/** Below those that systems give to whoever connects: Spark takes it seconds later. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(16_000, 32_000)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })
}

function answers(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false))
    socket.once("close", () => socket.destroy())
    socket.once("connect", () => socket.end())
  })
}
