/**
 * What others wait for while boxes are searched, on PostgreSQL: `node bench/src/searches.ts [boxes] [seconds]`, after
 * `npm run build`. Twelve visitors in three networks search without a pause, for words that many boxes have, few, or none;
 * meanwhile a manager signs in again and again. Budget: sign-in p95 300 ms at 500,000 boxes.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { budgetHead, checkBudget } from './budget.ts'
import { databasesNamed } from './databases.ts'
import { percentile } from './percentile.ts'
import { startShop, untilIdle } from './shop.ts'
import { ADMIN, signIn } from './sign-in.ts'
import { sized } from './sized.ts'

const SEARCHES = 12
const NETWORKS = 3
const SIGN_IN_EVERY_MS = 250
/** Boxes that a statement writes: the pool gives each statement a minute. */
const AT_ONCE = 50_000
const words = ['snapper', 'e', 'trader 12', 'BENCH-00012', 'a word of none', 'harbour 77']

const [boxes = sized(500_000, 200), seconds = sized(20, 1)] = process.argv.slice(2).map(Number)
const [openPostgres] = databasesNamed(['postgres'])
if (openPostgres === undefined) throw new Error('there is no PostgreSQL')
await using place = await openPostgres()
const database = await place.open()
for (let first = 1; first <= boxes; first += AT_ONCE)
  await database.db.execute(`insert into boxes (id, head, species, trader)
    select 'BENCH-' || lpad(i::text, 6, '0'), 'none', (array['Snapper', 'Silver Trevally', 'Yellowfin Tuna'])[1 + i % 3],
      'Sample Trader ' || i % 977 || ', Harbour ' || i % 97
    from generate_series(${first}, ${Math.min(first + AT_ONCE - 1, boxes)}) i`)
await database.db.execute('vacuum analyze')
await database.close()

const env = { ...ADMIN, SAMPLE_DATA: 'off', ANCHOR_INTERVAL_S: '86400', TRUSTED_PROXIES: 'loopback' }
await using shop = await startShop({ ...env, ...place.env }, place.dataDir)
if (boxes <= 1_000) await untilIdle(shop) // more are never anchored by then

/** Signs in until `until`. Returns how long each took, in ms. */
async function signIns(until: number): Promise<number[]> {
  const taken: number[] = []
  while (performance.now() < until) {
    const began = performance.now()
    await signIn(shop)
    taken.push(performance.now() - began)
    await wait(SIGN_IN_EVERY_MS)
  }
  return taken
}

type Answers = { answered: number[]; refused: number }

async function search(visitor: number, until: number): Promise<Answers> {
  const answers: Answers = { answered: [], refused: 0 }
  const headers = { 'x-forwarded-for': `203.0.113.${1 + (visitor % NETWORKS)}` }
  for (let i = visitor; performance.now() < until; i++) {
    const began = performance.now()
    const url = `${shop.url}/api/box?q=${encodeURIComponent(words[i % words.length] ?? '')}`
    const { status } = await fetch(url, { headers, signal: AbortSignal.timeout(60_000) })
    if (status === 200) answers.answered.push(performance.now() - began)
    else answers.refused += 1
    if (status !== 200) await wait(SIGN_IN_EVERY_MS)
  }
  return answers
}

const soon = (): number => performance.now() + 1_000 * seconds
await signIn(shop)
const quiet = await signIns(soon())
const until = soon()
const [busy, ...visitors] = await Promise.all([
  signIns(until),
  ...Array.from({ length: SEARCHES }, (_, visitor) => search(visitor, until)),
])
const answered = visitors.flatMap((visitor) => visitor.answered)
const refused = visitors.reduce((sum, visitor) => sum + visitor.refused, 0)
budgetHead('boxes', 'what')
checkBudget([boxes, 'sign-in alone, p95'], percentile(quiet, 0.95), { mostMs: 300 })
checkBudget([boxes, `sign-in beside ${SEARCHES} searches, p95`], percentile(busy, 0.95), { mostMs: 300 })
console.log(
  `\nSearches answered ${answered.length}, median ${Math.round(percentile(answered, 0.5))} ms, p95 ${Math.round(percentile(answered, 0.95))} ms; refused ${refused}.`,
)
