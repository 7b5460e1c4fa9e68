import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../../server/src/db/client.ts'
import { ms, row, tableHead } from '../load-table.ts'
import { percentile } from '../percentile.ts'
import type { Shop } from '../shop.ts'
import { bearer } from '../sign-in.ts'
import { sized } from '../sized.ts'
import type { Opened } from './pages.ts'
import type { Found, planLog, Scan } from './plans.ts'

/** Requests of a page that are measured, until so long after the first. */
const REQUESTS = sized(40, 1)
const MOST_MS = sized(3_000, 1)
/** So long nobody asks for anything: what runs then runs by itself. */
const ALONE_MS = sized(20_000, 2_000)

/** Answers a page once. Returns the milliseconds until its end, of a file until its first bytes. */
async function open({ url }: Shop, token: string, { path, as, holds }: Opened): Promise<number> {
  const ended = new AbortController()
  const began = performance.now()
  const response = await fetch(`${url}${encodeURI(path)}`, {
    headers: as === 'desk' ? bearer(token) : {},
    signal: AbortSignal.any([ended.signal, AbortSignal.timeout(120_000)]),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${(await response.text()).slice(0, 300)}`)
  const { body } = response
  if (holds === 'all' && body) {
    await body.getReader().read()
    const taken = performance.now() - began
    ended.abort()
    return taken
  }
  await response.arrayBuffer()
  return performance.now() - began
}

async function timesOf(shop: Shop, token: string, page: Opened): Promise<number[]> {
  const until = performance.now() + MOST_MS
  const times: number[] = []
  do times.push(await open(shop, token, page))
  while (times.length < REQUESTS && performance.now() < until)
  return times
}

const named = ({ table, how, rows }: Scan): string =>
  `${how} of ${table} (${Math.round(rows).toLocaleString('en')})`

type First = Found & { ms: number }
type Log = ReturnType<typeof planLog>

/** Opens each page once, and reads the plans of its statements; first of those that run by themselves. */
async function readPlans(shop: Shop, token: string, db: Db, log: Log, pages: readonly Opened[]) {
  await log.turn(db, true)
  await sleep(ALONE_MS)
  const alone = (await log.scans()).scans
  const known = new Set(alone.map(({ statement }) => statement))
  const firsts = new Map<Opened, First>()
  const wrong: unknown[] = []
  for (const page of pages) {
    const ms = await open(shop, token, page).catch((error: unknown) => {
      wrong.push(error)
      return 0
    })
    const found = await log.scans()
    const isFault = ({ statement, how }: Scan): boolean =>
      !known.has(statement) && (page.holds === undefined || how === 'Seq Scan')
    firsts.set(page, { ...found, ms, scans: found.scans.filter(isFault) })
  }
  await log.turn(db, false)
  if (wrong.length > 0) throw new AggregateError(wrong, wrong.join('\n'))
  return { alone, firsts }
}

/** Prints a table of these pages, and what they read too much of. Returns that, each with the path of its page. */
export async function measurePages(
  shop: Shop,
  token: string,
  db: Db,
  log: Log,
  pages: readonly Opened[],
): Promise<(Scan & { path: string })[]> {
  const { alone, firsts } = await readPlans(shop, token, db, log, pages)
  let missed = 0
  const before = ['what', 'path', 'statements', 'most rows', 'first ms', 'p50 ms']
  tableHead(...before, 'p95 ms', 'budget', 'state', 'read too much of')
  for (const [{ group, path, mostMs, ...page }, first] of firsts) {
    const times = await timesOf(shop, token, { group, path, mostMs, ...page })
    const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)]
    if (p95 > mostMs) missed++
    const read = [group, path, first.statements, Math.round(first.most)]
    const state = p95 > mostMs ? '**missed**' : 'met'
    row(...read, ...[first.ms, p50, p95].map(ms), mostMs, state, first.scans.map(named).join('; '))
  }
  const scans = [...alone, ...[...firsts.values()].flatMap((first) => first.scans)]
  const statements = Map.groupBy(scans, ({ statement }) => statement)
  for (const [statement, [scan]] of statements)
    if (scan) {
      const by = alone.includes(scan) ? ', by itself' : ''
      console.log(`\n${named(scan)}${by}:\n    ${statement.replaceAll(/\s+/g, ' ').slice(0, 1_200)}`)
    }
  console.log(
    `\n${pages.length} pages and lists; over budget ${missed}; statements that read too much ${statements.size}.`,
  )
  return [...firsts].flatMap(([{ path }, first]) => first.scans.map((scan) => ({ ...scan, path })))
}
