import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { openPostgres } from '../../../server/src/db/postgres.ts'
import { readSiteFile } from '../../../server/src/site/site.ts'
import { testNetwork } from '../../../server/src/testing/network.ts'
import { refusal, smtpServer } from '../../../server/src/testing/smtp-server.ts'
import { insertBeginning } from '../../../server/src/testing/storm/beginning.ts'
import { letterReader } from '../../../server/src/testing/storm/letters.ts'
import type { Request, World } from '../../../server/src/testing/storm/world.ts'
import { freePort } from '../../../tools/test/free-port.ts'
import { stripeServer } from '../../../tools/test/stripe-server.ts'
import { type Program, program } from '../chaos/program.ts'

const MINE_EVERY_MS = 300
const POLL_MS = 100
/** How long work may take that nothing stands against. */
const DONE_MS = 180_000
/** After a kill its leases are ended, so that nobody waits two minutes for each. */
const LEASES_MS = 3_000

/** What a machine that is busy with other things has a process log: it tries again. */
const STARVED = /timeout exceeded when trying to connect/

/** How a database sorts: as a language does, or by bytes. */
export type Order = 'icu' | 'c'
type Count = { n: number }

/**
 * Two processes of the shop on a database of their own, which are killed and started again.
 * @param server URL of a PostgreSQL server that sorts as a language does
 * @param main what Node runs as a web process, with its environment
 */
export async function processesWorld(
  server: string,
  order: Order,
  main: { args: string[]; env?: Record<string, string> },
): Promise<World> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-storm-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const { url, drop } = await newDatabase(server, order)
  opened.defer(drop)
  const stripe = opened.use(await stripeServer())
  const node = opened.use(await testNetwork())
  const mining = setInterval(() => node.mine().catch(() => undefined), MINE_EVERY_MS)
  opened.defer(() => clearInterval(mining))
  let refuses = false
  const smtp = opened.use(
    await smtpServer(undefined, () => (refuses ? refusal(451, 'Try again later') : null)),
  )
  const shared = {
    ...{ PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: tmpdir(), NODE_ENV: 'production' },
    ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
    ...(process.env.WEB_DIST && { WEB_DIST: process.env.WEB_DIST }),
    ...main.env,
    ...{ DATABASE_URL: url, SMTP_URL: smtp.url, ...stripe.env, TRUSTED_PROXIES: '127.0.0.1' },
    ...{ CHAIN_RPC_URL: node.http.url, CHAIN_PRIVATE_KEY: node.privateKey, ANCHOR_INTERVAL_S: '2' },
    ...{ PUBLIC_URL: 'http://shop.example', MQTT_PORT: '0', DRAIN_S: '0', LOG_LEVEL: 'error' },
    ...{ SAMPLE_DATA: 'off', ADMIN_EMAIL: 'first@shop.example', ADMIN_PASSWORD: 'long enough' },
  }
  const programs: Program[] = []
  opened.defer(async () => void (await Promise.all(programs.map((one) => one.stop()))))
  for (const name of ['web-1', 'web-2']) {
    const DATA_DIR = join(folder, name)
    await mkdir(DATA_DIR, { mode: 0o700 })
    for (const file of programs.length === 0 ? [] : ['secret.key', 'operator.key'])
      await copyFile(join(folder, 'web-1', file), join(DATA_DIR, file))
    const PORT = String(await freePort())
    const one = program(name, main.args, `http://127.0.0.1:${PORT}`, { ...shared, PORT, DATA_DIR })
    programs.push(one)
    await one.start()
  }
  const database = await openPostgres(url, () => undefined)
  opened.defer(() => database.close())
  const { db } = database
  const away = new Set<number>()
  let [turn, wasKilled, leasesEnd] = [0, false, false]
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  opened.defer(() => pool.end())
  const until = async (what: string, isDone: () => Promise<boolean>): Promise<void> => {
    const late = performance.now() + DONE_MS
    while (!(await isDone())) {
      if (performance.now() > late) throw new Error(`${what}: not within ${DONE_MS} ms`)
      await wait(POLL_MS)
    }
  }
  const none = async (sql: string): Promise<boolean> => (await pool.query<Count>(sql)).rows[0]?.n === 0
  const tokens = await insertBeginning(db)
  const all = opened.move()
  return {
    ...{ db, siteFile: await readSiteFile(), tokens, stripe, letters: letterReader(smtp.mails) },
    send: (request, to) => {
      const run = programs.filter((_, i) => !away.has(i))
      const one = to === undefined || away.has(to) ? run[turn++ % run.length] : programs[to]
      return send(one?.url ?? '', request)
    },
    refuseMail: (whether) => {
      refuses = whether
    },
    settle: async () => {
      await pool.query(
        `update jobs set run_at = now() where attempts > 0 and failed_at is null and leased_until is null`,
      )
      await pool.query(`select pg_notify('jobs', '')`)
      if (leasesEnd) await wait(LEASES_MS)
      if (leasesEnd) await pool.query(`update jobs set leased_until = now() where leased_until is not null`)
      leasesEnd = false
      await until('emails, payments, plans and the watch', () =>
        none(`select (select count(*) from watch_queue)::int + (select count(*) from events where number is null)::int
                + (select max(n.last - c.last) from event_numbers n, event_consumers c)::int + (select count(*) from jobs
                where queue in ('mail.send', 'order.payment', 'notice.look', 'catalogue.schedule') and failed_at is null
                  and (leased_until is not null or run_at <= now()))::int as n`),
      )
    },
    anchor: () =>
      until('anchors', () =>
        none(`select (select count(*) from anchors where state <> 'confirmed')::int
                + (select coalesce(sum(count), 0) from boxes)::int
                - (select coalesce(sum(records), 0) from anchors)::int as n`),
      ),
    ledgerUrl: node.http.url,
    processes: programs.length,
    kill: async (which) => {
      if (away.has(which)) return
      away.add(which)
      await programs[which]?.kill()
      wasKilled = true
      leasesEnd = true
    },
    restart: async (which) => {
      if (away.has(which)) await programs[which]?.start()
      away.delete(which)
    },
    faults: () =>
      programs.flatMap(({ died, errors }) => [
        ...(died === undefined ? [] : [died]),
        ...errors.filter((line) => !STARVED.test(line)),
      ]),
    get wasKilled() {
      return wasKilled
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

async function send(url: string, { method, url: path, headers, payload }: Request) {
  const body = typeof payload === 'object' ? JSON.stringify(payload) : payload
  const answer = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) })
  const text = await answer.text()
  return { statusCode: answer.status, body: text, json: () => JSON.parse(text) }
}

async function newDatabase(
  server: string,
  order: Order,
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `befaqt_storm_${crypto.randomUUID().replaceAll('-', '')}`
  const byBytes = `template template0 encoding 'UTF8' locale_provider libc locale 'C'`
  await onServer(server, `create database ${name} ${order === 'c' ? byBytes : ''}`)
  const { href: url } = Object.assign(new URL(server), { pathname: `/${name}` })
  return { url, drop: () => onServer(server, `drop database ${name} with (force)`) }
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
