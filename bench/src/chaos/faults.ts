import { setTimeout as wait } from 'node:timers/promises'
import type { Load, Seen } from './load.ts'
import type { Program } from './program.ts'
import { untilReadiness, type World } from './world.ts'

/** Injects a fault and repairs it. Returns what was observed. @throws when the shop did not survive it */
export type Fault = { name: string; happen(world: World, load: Load): Promise<string> }

/** Time limit for recovery, generous for busy machines. */
const HEALED_MS = 60_000

const isReady = ({ status }: { status: number }): boolean => status === 200
type Said = { status: number; body: string }
/** The part is not 'ok'; without the database a process is not ready, without anything else it is. */
const lacks =
  (part: string) =>
  ({ status, body }: Said): boolean =>
    status === (part === 'database' ? 503 : 200) && !body.includes(`"${part}":"ok"`)
const has =
  (part: string) =>
  (said: Said): boolean =>
    isReady(said) && said.body.includes(`"${part}":"ok"`)

/**
 * A part fails; every process must report that it is unavailable and, after the repair, that it is back. Without anything
 * but the database visitors must notice nothing.
 */
const partAway = (
  name: string,
  part: string,
  away: (world: World) => unknown,
  back: (world: World) => unknown,
): Fault => ({
  name,
  happen: async (world, load) => {
    const programs = [...world.webs, world.worker]
    const seen = load.watch()
    await away(world)
    const told = await untilReadiness(programs, lacks(part), world.truthMs)
    await wait(2_000)
    await back(world)
    const healed = await untilReadiness(programs, has(part), HEALED_MS)
    if (part !== 'database') noneFailed(seen, world.balancer.broken.at(-1))
    return `told after ${told} ms, back after ${healed} ms, ${seen.failed.length} of ${seen.asked} requests failed`
  },
})

/** @param why what the balancer says of the last one */
function noneFailed({ asked, failed }: Seen, why = ''): void {
  if (failed.length > 0) throw new Error(`${failed.length} of ${asked} failed: ${failed[0]} ${why}`)
}

const anchorCount = async (world: World): Promise<number> =>
  Number(
    (
      await world.query<{ n: string }>(
        `select count(*) as n from anchors where state in ('mined', 'confirmed')`,
      )
    )[0]?.n,
  )

/** Waits until more anchors are in blocks. */
async function untilAnchored(world: World, more: number, limitMs: number): Promise<number> {
  const wanted = (await anchorCount(world)) + more
  const began = performance.now()
  while ((await anchorCount(world)) < wanted) {
    if (performance.now() - began > limitMs) throw new Error(`no ${more} more anchors within ${limitMs} ms`)
    await wait(200)
  }
  return Math.round(performance.now() - began)
}

/** The current leader: the process whose connection holds the advisory lock. */
async function leader(world: World): Promise<Program> {
  for (const one of [...world.webs, world.worker]) {
    const text = await fetch(`${one.url}/metrics`).then((answer) => answer.text())
    if (/^befaqt_leader 1$/m.test(text)) return one
  }
  throw new Error('nobody leads')
}

const HOUR_AHEAD = `data:text/javascript,${encodeURIComponent(
  `const Real = Date
   const ahead = () => Real.now() + 3600000
   globalThis.Date = new Proxy(Real, {
     construct: (_, args) => (args.length === 0 ? new Real(ahead()) : new Real(...args)),
     apply: () => new Real(ahead()).toString(),
     get: (target, name) => (name === 'now' ? ahead : Reflect.get(target, name)),
   })`,
)}`

/** All faults, in an order in which each is independent of the others. */
export const faults: readonly Fault[] = [
  {
    name: 'connections to PostgreSQL are cut in the middle of transactions',
    happen: async (world) => {
      let cut = 0
      for (let i = 0; i < 20; i++) {
        const found = await world.query<{ gone: boolean }>(
          `select pg_terminate_backend(pid) as gone from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`,
        )
        cut += found.length
        await wait(100)
      }
      const healed = await untilReadiness([...world.webs, world.worker], isReady, HEALED_MS)
      return `${cut} cut, ready after ${healed} ms`
    },
  },
  partAway(
    'PostgreSQL is ended at once and started again',
    'database',
    ({ postgres }) => postgres.crash(),
    ({ postgres }) => postgres.restart(),
  ),
  partAway(
    'S3 is frozen',
    'files',
    ({ s3 }) => s3.freeze(),
    ({ s3 }) => s3.thaw(),
  ),
  partAway(
    'S3 is away',
    'files',
    ({ s3 }) => s3.away(),
    ({ s3 }) => s3.back(),
  ),
  partAway(
    'the node is frozen',
    'chain',
    ({ node }) => node.http.freeze(true),
    ({ node }) => node.http.freeze(false),
  ),
  partAway(
    'the node is away',
    'chain',
    ({ node }) => node.http.cut(true),
    ({ node }) => node.http.cut(false),
  ),
  {
    name: 'the node is rolled back by some anchors',
    happen: async (world) => {
      const back = await world.node.snapshot()
      await untilAnchored(world, 2, HEALED_MS)
      await back()
      const took = await untilAnchored(world, 2, HEALED_MS)
      return `two more anchors after ${took} ms`
    },
  },
  {
    name: 'the leader is frozen, succeeded, and goes on',
    happen: async (world) => {
      const frozen = await leader(world)
      frozen.freeze()
      const took = await untilAnchored(world, 2, HEALED_MS)
      frozen.thaw()
      await untilAnchored(world, 1, HEALED_MS)
      return `${frozen.name} froze; two more anchors after ${took} ms`
    },
  },
  {
    name: 'the clock of the only process is an hour ahead, and right again after a restart',
    happen: async (world) => {
      const [ahead, other] = world.webs
      await ahead.stop()
      await ahead.start({ NODE_OPTIONS: `--import ${HOUR_AHEAD}` })
      await Promise.all([other.stop(), world.worker.stop()])
      await untilAnchored(world, 2, HEALED_MS)
      await Promise.all([other.start(), world.worker.start()])
      await ahead.stop()
      await ahead.start()
      const took = await untilAnchored(world, 2, HEALED_MS)
      return `two more anchors after ${took} ms`
    },
  },
  {
    name: 'two web processes are restarted in turn',
    happen: async (world, load) => {
      const seen = load.watch()
      for (const web of world.webs) {
        await web.stop()
        await web.start()
        // The balancer must know of it before the other one stops.
        while (!world.balancer.ready.has(web.url)) await wait(50)
      }
      noneFailed(seen, world.balancer.broken.at(-1))
      return `${seen.asked} requests, none failed`
    },
  },
]
