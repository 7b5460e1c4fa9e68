import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../tools/test/free-port.ts'
import { type Log, readLog } from './log-lines.ts'
import { within } from './within.ts'

/** The first manager of every shop that a test starts. */
export const admin = { email: 'manager@shop.example', password: 'herring-and-ice' } as const

/** A running server program, with data of its own. Use with `await using`: it is stopped and its data removed. */
export type Server = AsyncDisposable & {
  url: string
  pid: number
  dataDir: string
  log: Log
  /** What it has printed for the person at the terminal. */
  printed(): string
  /** The key that the command-line tools use, with every right. */
  operatorKey(): Promise<string>
  /** Calls the API with the operator key. `path` begins with a slash. */
  call(path: string, init?: RequestInit): Promise<Response>
  /** Ends it as an operator would, with SIGTERM. Fails when it does not end cleanly. Twice is harmless. */
  stop(): Promise<void>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
}

export type ServerOptions = {
  /** Settings over the test defaults. */
  env?: Record<string, string>
  /** Data of an earlier server, which are then left where they are. */
  dataDir?: string
  /** For tests that break something on purpose: lines of level error in the log are then no failure. */
  mayLogErrors?: boolean
}

const START_S = 120
const STOP_S = 60
const root = join(import.meta.dirname, '../..')

/** What `npm test` tests is the built program; a test file run by itself has the sources as they stand. */
const program = process.env.SERVER_PROGRAM ?? join(root, 'server/src/main.ts')

/** Starts the server on a free port and waits until it is ready to serve. */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const dataDir = options.dataDir ?? (await newDataDir(options.env))
  const port = await freePort()
  const child = spawn(process.execPath, [program], {
    cwd: root,
    env: { ...settings(port, dataDir), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log = readLog(child.stdout)
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  const ended = once(child, 'exit')
  const early = ended.then(([code]) => {
    throw new Error(`the server ended with ${code} instead of starting:\n${complaint}${showErrors(log)}`)
  })
  try {
    await within(START_S, 'the server is ready to serve', Promise.race([log.first(isReady), early]))
  } catch (error) {
    child.kill('SIGKILL')
    if (options.dataDir === undefined) {
      await ended
      await rm(dataDir, { recursive: true, force: true })
    }
    throw error
  }
  early.catch(() => undefined)
  const url = options.env?.PUBLIC_URL ?? `http://localhost:${port}`
  const operatorKey = async (): Promise<string> =>
    (await readFile(join(dataDir, 'operator.key'), 'utf8')).trim()
  return {
    url,
    pid: child.pid ?? 0,
    dataDir,
    log,
    printed: () => complaint,
    operatorKey,
    call: async (path, init) => {
      const headers = new Headers(init?.headers)
      headers.set('authorization', `Bearer ${await operatorKey()}`)
      return fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers })
    },
    stop: () => stop(child, ended),
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    [Symbol.asyncDispose]: async () => {
      await stop(child, ended)
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
      if (!options.mayLogErrors) assert.equal(showErrors(log), '', 'the server logged errors')
    },
  }
}

/** Settings that decide what a first start puts into an empty folder. */
const ofFirstStart = /^(SAMPLE_DATA|ADMIN_|DATABASE_URL|FILES_URL|CHAIN_)/

/**
 * A folder for the data of a new shop. Under `npm test` it is a copy of a sample shop after its first start, anchored and
 * with all copies of its pictures, where the settings would make the same: those that say otherwise begin with nothing.
 */
async function newDataDir(env: Record<string, string> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-shop-'))
  const sample = process.env.SAMPLE_SHOP
  if (sample !== undefined && !Object.keys(env).some((name) => ofFirstStart.test(name)))
    await cp(sample, folder, { recursive: true })
  return folder
}

const isReady = (line: { msg: string }): boolean => line.msg === 'ready to serve'

const showErrors = (log: Log): string =>
  log
    .errors()
    .map((line) => JSON.stringify(line, null, 2))
    .join('\n')

/** Nothing of the environment that the tests run in gets through, but for what a program needs to run at all. */
const settings = (port: number, dataDir: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? dataDir,
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
  TMPDIR: tmpdir(),
  NODE_ENV: 'production',
  WEB_DIST: process.env.WEB_DIST ?? './web/dist',
  PORT: String(port),
  HOST: '127.0.0.1',
  DATA_DIR: dataDir,
  MQTT_PORT: '0',
  DRAIN_S: '0',
  ANCHOR_INTERVAL_S: '1',
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
})

async function stop(child: ChildProcess, ended: Promise<unknown[]>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM')
    try {
      await within(STOP_S, 'the server ends after SIGTERM', ended)
    } catch (error) {
      child.kill('SIGKILL')
      throw error
    }
  }
  if (child.signalCode !== 'SIGKILL') assert.equal(child.exitCode, 0, 'the server ended with an error')
}
