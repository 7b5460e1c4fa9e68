import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { type Balancer, startBalancer } from '../../../e2e/support/balancer.ts'
import { type TestNetwork, testNetwork } from '../../../server/src/testing/network.ts'
import { openS3, type TestS3 } from '../../../server/src/testing/s3.ts'
import { freePort } from '../../../tools/test/free-port.ts'
import { type PrivatePostgres, startPostgres } from '../../../tools/test/private-postgres.ts'
import { importBox } from '../boxes.ts'

import { type Program, program, readiness } from './program.ts'

/** A shop in production configuration: two web processes and a worker on PostgreSQL, S3 and a chain node. */
export type World = AsyncDisposable & {
  webs: readonly [Program, Program]
  worker: Program
  balancer: Balancer
  postgres: PrivatePostgres
  s3: TestS3
  node: TestNetwork
  key: string
  /** Time limit for readiness to report a fault. */
  truthMs: number
  /** Boxes that readings are for. */
  boxes: readonly string[]
  query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]>
}

/** For how much of `truthMs` the balancer waits for a probe: for two seconds of five. */
const PATIENCE = 0.4
const MINE_EVERY_MS = 1_000
const RECORDS = 20

/**
 * Starts everything. @param programs what Node runs as a web process and as a worker, with flags
 * @throws Error with a sentence where PostgreSQL can't be had
 */
export async function openWorld(
  programs: { main: string[]; worker: string[] },
  truthMs: number,
  env: Record<string, string> = {},
): Promise<World> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-chaos-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const postgres = await startPostgres({ crashes: true })
  if ('why' in postgres) throw new Error(postgres.why)
  opened.defer(postgres.stop)
  const s3 = opened.use(await openS3())
  const node = opened.use(await testNetwork())
  const mining = setInterval(() => node.mine().catch(console.error), MINE_EVERY_MS)
  opened.defer(() => clearInterval(mining))

  const shared = {
    ...{ PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: tmpdir(), NODE_ENV: 'production' },
    ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
    ...{ AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' },
    ...{ DATABASE_URL: postgres.url, FILES_URL: s3.url(), CHAIN_RPC_URL: node.http.url },
    ...{ CHAIN_PRIVATE_KEY: node.privateKey, PUBLIC_URL: 'http://shop.example', MQTT_PORT: '0' },
    ...{
      ANCHOR_INTERVAL_S: '2',
      LOG_LEVEL: 'error',
      ADMIN_EMAIL: 'a@shop.example',
      ADMIN_PASSWORD: 'long enough',
    },
    ...env,
  }
  const running: Program[] = []
  opened.defer(async () => void (await Promise.all(running.map((one) => one.stop()))))
  const make = async (name: string, kind: 'main' | 'worker'): Promise<Program> => {
    const DATA_DIR = join(folder, name)
    await mkdir(DATA_DIR, { mode: 0o700 })
    const port = String(await freePort())
    const ports = kind === 'main' ? { PORT: port } : { WORKER_PORT: port }
    const made = program(name, programs[kind], `http://127.0.0.1:${port}`, { ...shared, ...ports, DATA_DIR })
    running.push(made)
    return made
  }
  const first = await make('web-1', 'main')
  await first.start()
  const [second, worker] = [await make('web-2', 'main'), await make('worker', 'worker')]
  for (const { name } of [second, worker])
    for (const file of ['secret.key', 'operator.key'])
      await copyFile(join(folder, 'web-1', file), join(folder, name, file))
  await Promise.all([second.start(), worker.start()])
  const balancer = opened.use(await startBalancer([first.url, second.url], truthMs * PATIENCE))
  const key = (await readFile(join(folder, 'web-1', 'operator.key'), 'utf8')).trim()
  const boxes = ['CHAOS-1', 'CHAOS-2', 'CHAOS-3']
  for (const box of boxes) await importBox({ url: first.url, key }, box, RECORDS)
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2 })
  pool.on('error', () => undefined)
  opened.defer(() => pool.end())
  const all = opened.move()
  return {
    ...{ webs: [first, second], worker, balancer, postgres, s3, node, key, truthMs, boxes },
    query: async (sql) => (await pool.query(sql)).rows,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Waits until /readyz of every process responds like this. @returns milliseconds that it took */
export async function untilReadiness(
  programs: readonly Program[],
  isSo: (said: { status: number; body: string }) => boolean,
  limitMs: number,
): Promise<number> {
  const began = performance.now()
  for (;;) {
    const said = await Promise.all(programs.map(({ url }) => readiness(url)))
    const took = performance.now() - began
    if (said.every(isSo)) return Math.round(took)
    if (took > limitMs) throw new Error(`after ${Math.round(took)} ms /readyz says ${JSON.stringify(said)}`)
    await wait(50) // against a busy loop while connections are refused
  }
}
