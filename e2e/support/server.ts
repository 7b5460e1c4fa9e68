import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../tools/test/free-port.ts'
import { type Log, readLog } from './log-lines.ts'
import { within } from './within.ts'

/** The first manager of every shop that a test starts. */
export const admin = { email: 'manager@shop.example', password: 'herring-and-ice' } as const

/** A running server with data of its own. Use with `await using`: it is stopped and its data removed. */
export type Server = AsyncDisposable & {
  url: string
  pid: number
  dataDir: string
  log: Log
  /** Its output on the terminal. */
  printed(): string
  /** The key that the command-line tools use, with every right. */
  operatorKey(): Promise<string>
  /** Calls the API with the operator key. `path` begins with a slash. */
  call(path: string, init?: RequestInit): Promise<Response>
  /** Stops it with SIGTERM. Fails when it does not stop cleanly. Idempotent. */
  stop(): Promise<void>
  /** Kills it. */
  kill(): Promise<void>
}

export type ServerOptions = {
  /** Settings that override the test defaults. */
  env?: Record<string, string>
  /** Data of an earlier server, which are then not removed. */
  dataDir?: string
  /** For tests that break something on purpose: errors in the log do not fail the test. */
  mayLogErrors?: boolean
}

const START_S = 120
const STOP_S = 60
const root = join(import.meta.dirname, '../..')

/** `npm test` runs the built program; a test file that is run by itself uses the current sources. */
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

/** Settings on which the data of a first start depends. */
const ofFirstStart = /^(SAMPLE_DATA|ADMIN_|DATABASE_URL|FILES_URL|CHAIN_)/

/**
 * A data folder for a new shop. Under `npm test` it is a copy of a sample shop after its first start, anchored and with
 * all image variants, unless the settings would give other data: then it is empty, but for the tables of a shop without the
 * sample on the embedded database: a first start takes six seconds of processor time more than another one.
 */
export async function newDataDir(env: Record<string, string> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-shop-'))
  const sample = process.env.SAMPLE_SHOP
  if (sample !== undefined && !Object.keys(env).some((name) => ofFirstStart.test(name)))
    await cp(sample, folder, { recursive: true })
  const empty = process.env.EMPTY_DATABASE
  if (empty !== undefined && env.SAMPLE_DATA === 'off' && env.DATABASE_URL === undefined) {
    const database = join(folder, 'database')
    await mkdir(database, { mode: 0o700 })
    execFileSync('tar', ['-C', database, '-xf', empty], { stdio: 'pipe' })
  }
  return folder
}

const isReady = (line: { msg: string }): boolean => line.msg === 'ready to serve'

const showErrors = (log: Log): string =>
  log
    .errors()
    .map((line) => JSON.stringify(line, null, 2))
    .join('\n')

/** Of the tests' environment only what a program needs to run, and to start fast, is passed on. */
const settings = (port: number, dataDir: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? dataDir,
  ...inherited('NODE_COMPILE_CACHE'),
  ...inherited('NODE_OPTIONS'),
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

const inherited = (name: string): Record<string, string> => {
  const value = process.env[name]
  return value === undefined ? {} : { [name]: value }
}

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
