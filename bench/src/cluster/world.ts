import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { type TestNetwork, testNetwork } from '../../../server/src/testing/network.ts'
import { openS3 } from '../../../server/src/testing/s3.ts'
import { freePort } from '../../../tools/test/free-port.ts'
import { importBox } from '../boxes.ts'
import { type Program, program } from '../chaos/program.ts'
import { type Consensus, startConsensus } from './consensus.ts'
import { makeDatabase, type Nodes, startNodes } from './database.ts'
import { type Balancer, startBalancer, startBroker, startPooler } from './front.ts'
import type { Place } from './place.ts'
import type { Programs } from './programs.ts'

/** What Node runs as a web process and as a worker, with flags. */
export type Built = Record<'main' | 'worker', string[]>

/** A shop on a cluster: two web processes and a worker, in front of them HAProxy, behind them all that they need. */
export type World = AsyncDisposable & {
  webs: [Program, Program]
  worker: Program
  /** Of the processes that run. */
  built: Built
  /** A process in the place of one that was stopped, of another build, or with other settings. */
  renew(stopped: Program, built: Built, settings?: Record<string, string>): Program
  /** Settings to reach PostgreSQL's primary, as it is now, past everything, and through a pooler alone. */
  ways(): Promise<{ direct: Record<string, string>; pooled: Record<string, string> }>
  folder: string
  consensus: Consensus
  nodes: Nodes
  balancer: Balancer
  pooler: { restart(): Promise<void> }
  node: TestNetwork
  /** The operator's key. */
  key: string
  boxes: readonly string[]
  /** Address of the broker for the device of a box. */
  device(box: string): string
  /** What is ordered, and when it is picked up. */
  product: string
  slot: string
  /** Of the shop's role, as whichever node leads has them. */
  query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]>
}

export const STOCK = 1_000_000
const MINE_EVERY_MS = 1_000
const RECORDS = 20
const BOXES = ['CLUSTER-1', 'CLUSTER-2', 'CLUSTER-3']

/**
 * Starts everything in a place.
 * @param first the build to begin with; `settings`: for one that knows no pooler, beside the address of HAProxy
 * @param print says what is being started
 */
export async function openWorld(
  place: Place,
  programs: Programs,
  first: { built: Built; settings?: Record<string, string> },
  print: (line: string) => void,
): Promise<World> {
  const { built, settings } = first
  await using opened = new AsyncDisposableStack()
  print('starting etcd and PostgreSQL')
  const consensus = await startConsensus(place, programs)
  const nodes = await startNodes(place, programs, consensus)
  const { primary } = await nodes.steady()
  const password = makeDatabase(programs, nodes, primary)
  const webPorts = [await freePort(), await freePort()] as const
  const balancer = await startBalancer(place, programs, nodes.all, webPorts)
  const pooler = await startPooler(place, programs, { name: 'pgbouncer', to: balancer.primary, password })
  const at = (hosts: string): string => `postgres://befaqt:${password}@${hosts}/befaqt`
  const broker = await startBroker(place, programs, BOXES)
  const s3 = opened.use(await openS3())
  const node = opened.use(await testNetwork())
  const mining = setInterval(() => node.mine().catch(console.error), MINE_EVERY_MS)
  opened.defer(() => clearInterval(mining))

  print('starting the shop')
  const dataDir = join(place.folder, 'shop')
  await mkdir(dataDir, { mode: 0o700 })
  const links = nodes.all.map(({ linkPort }) => `127.0.0.1:${linkPort}`).join(',')
  const shared = {
    ...{ PATH: process.env.PATH ?? '', HOME: place.folder, TMPDIR: place.folder, NODE_ENV: 'production' },
    ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
    ...{ AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER', FILES_URL: s3.url() },
    ...{ CHAIN_RPC_URL: node.http.url, CHAIN_PRIVATE_KEY: node.privateKey, ANCHOR_INTERVAL_S: '2' },
    ...{ MQTT_URL: broker.url, PUBLIC_URL: 'http://shop.example', TRUSTED_PROXIES: '127.0.0.1' },
    ...{ SAMPLE_DATA: 'off', LOG_LEVEL: 'error', DATA_DIR: dataDir },
    ...{ ADMIN_EMAIL: 'a@shop.example', ADMIN_PASSWORD: 'long enough' },
  }
  const deployed = {
    DATABASE_URL: at(`127.0.0.1:${pooler.port}`),
    DATABASE_DIRECT_URL: `${at(links)}?target_session_attrs=read-write`,
  }
  const running = new Set<Program>()
  opened.defer(async () => void (await Promise.all([...running].map((one) => one.stop()))))
  const make = (name: string, port: number, of: Built, own: Record<string, string> = deployed): Program => {
    const isWeb = name !== 'worker'
    const ports = { [isWeb ? 'PORT' : 'WORKER_PORT']: `${port}` }
    const args = of[isWeb ? 'main' : 'worker']
    const made = program(name, args, `http://127.0.0.1:${port}`, { ...shared, ...own, ...ports })
    running.add(made)
    return made
  }
  const own = settings && { DATABASE_URL: at(`127.0.0.1:${balancer.primary}`), ...settings }
  const worker = make('worker', await freePort(), built, own)
  const webs: [Program, Program] = [
    make('web-1', webPorts[0], built, own),
    make('web-2', webPorts[1], built, own),
  ]
  const pool = new pg.Pool({ connectionString: at(`127.0.0.1:${balancer.primary}`), max: 2 })
  pool.on('error', () => undefined)
  opened.defer(() => pool.end())
  await worker.start() // which makes the tables
  await seed(pool)
  await Promise.all(webs.map((web) => web.start()))
  const key = (await readFile(join(dataDir, 'operator.key'), 'utf8')).trim()
  for (const box of BOXES) await importBox({ url: webs[0].url, key }, box, RECORDS)
  const all = opened.move()
  const world: World = {
    ...{ webs, worker, built, folder: place.folder, consensus, nodes, balancer, pooler, node, key },
    ...{ boxes: BOXES, device: broker.device, product: PRODUCT, slot: SLOT },
    query: async (sql) => (await pool.query(sql)).rows,
    ways: async () => {
      const { port } = (await nodes.steady()).primary
      const alone = await startPooler(place, programs, { name: 'pgbouncer-alone', to: port, password })
      const direct = at(`127.0.0.1:${port}`)
      return {
        direct: { DATABASE_URL: direct },
        pooled: { DATABASE_URL: at(`127.0.0.1:${alone.port}`), DATABASE_DIRECT_URL: direct },
      }
    },
    renew: (stopped, next, own) => {
      running.delete(stopped)
      const made = make(stopped.name, Number(new URL(stopped.url).port), next, own)
      const web = world.webs.indexOf(stopped)
      if (web < 0) world.worker = made
      else world.webs[web] = made
      return made
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
  return world
}

const PRODUCT = 'snapper'
const SLOT = 'slot'

/** One product that is weighed, and one time to pick it up, in the columns that each version has. */
async function seed(pool: pg.Pool): Promise<void> {
  await pool.query(
    `insert into categories (id, title, title_key, shelf_pos) values ('c', 'Fish', 'fish', '1')`,
  )
  await pool.query(
    `insert into products (id, title, category_id, price_cents, stock) values ($1, 'Snapper', 'c', 3000, $2)`,
    [PRODUCT, STOCK],
  )
  await pool.query(
    `insert into slots (id, kind, capacity, time_zone, starts_at, ends_at, cut_off_at)
     values ($1, 'pickup', 100000, 'UTC', now() + interval '20 h', now() + interval '22 h', now() + interval '19 h')`,
    [SLOT],
  )
}
