import { setTimeout as wait } from 'node:timers/promises'
import type { Program } from '../chaos/program.ts'
import { untilReadiness } from '../chaos/world.ts'
import type { Goal } from './count.ts'
import type { Load } from './load.ts'
import { nextVersion } from './versions.ts'
import type { Built, World } from './world.ts'

/** Something that goes wrong, or is done to a running shop, and is mended at the end of `happen`. */
export type Fault = { name: string; goal: Goal; happen(world: World, load: Load): Promise<void> }

const HEALED_MS = 120_000
const CUT_MS = 15_000
const AWAY_MS = 15_000

/** Waits until somebody who came after this moment has an order. */
export async function untilSold({ told }: Load, limitMs = HEALED_MS): Promise<void> {
  const since = performance.now()
  while (!told.some(({ kind, at }) => kind === 'order' && at > since + 1_000)) {
    if (performance.now() > since + limitMs) throw new Error(`nothing was sold for ${limitMs} ms`)
    await wait(100)
  }
}

/** Waits until all processes are ready, HAProxy sends visitors to both, and a standby has all that is told. */
export async function untilHealed({ webs, worker, balancer, nodes }: World): Promise<void> {
  await untilReadiness([...webs, worker], ({ status }) => status === 200, HEALED_MS)
  await nodes.steady()
  while (!(await balancer.sendsToBoth())) await wait(100)
}

/** One after the other, each once the one before takes visitors again. */
async function inTurn(world: World, programs: readonly Program[], renew: (one: Program) => Promise<void>) {
  for (const one of programs) {
    await renew(one)
    while (!(await world.balancer.sendsToBoth())) await wait(100)
  }
}

/** From the version that a world began with to this one, process by process. @param commit for its name */
export const upgradeTo = (built: Built, commit: string): Fault => ({
  name: `rolling upgrade from ${commit}`,
  goal: { mostFailed: 0 },
  happen: async (world) => {
    await inTurn(world, [world.worker, ...world.webs], async (one) => {
      await one.stop()
      await world.renew(one, built).start()
    })
    world.built = built
  },
})

/** All of them, each beginning with a healthy cluster. */
export const faults: readonly Fault[] = [
  {
    name: 'postmaster of the primary killed',
    goal: { mostSeconds: 20 },
    happen: async ({ nodes }, load) => {
      const { primary } = await nodes.steady()
      primary.killPostmaster()
      await untilSold(load)
    },
  },
  {
    name: 'primary and its Patroni killed',
    goal: { mostSeconds: 35 },
    happen: async ({ nodes }, load) => {
      const { primary } = await nodes.steady()
      await primary.kill()
      await untilSold(load)
      await primary.start()
    },
  },
  {
    name: 'standby and its Patroni killed',
    goal: {},
    happen: async ({ nodes }, load) => {
      const { standby } = await nodes.steady()
      await standby.kill()
      await untilSold(load)
      await wait(AWAY_MS)
      await standby.start()
    },
  },
  { name: 'pooler restarted', goal: {}, happen: ({ pooler }) => pooler.restart() },
  {
    name: 'leader of etcd killed',
    goal: {},
    happen: async ({ consensus }) => {
      const leader = await consensus.leader()
      await leader.end('SIGKILL')
      await wait(AWAY_MS)
      await consensus.start(leader)
    },
  },
  {
    name: `network to the primary cut for ${CUT_MS / 1_000} s`,
    goal: {},
    happen: async ({ nodes }, load) => {
      const { primary } = await nodes.steady()
      process.kill(primary.link.pid, 'SIGSTOP')
      await wait(CUT_MS)
      process.kill(primary.link.pid, 'SIGCONT')
      await untilSold(load)
    },
  },
  {
    name: 'rolling restart',
    goal: { mostFailed: 0 },
    happen: (world) =>
      inTurn(world, [...world.webs, world.worker], async (one) => {
        await one.stop()
        await one.start()
      }),
  },
  {
    name: 'rolling migration',
    goal: { mostFailed: 0 },
    happen: async (world) => {
      const next = await nextVersion(world)
      await inTurn(world, [world.worker, ...world.webs], async (one) => {
        await one.stop()
        await world.renew(one, next).start()
      })
      world.built = next
      const [found] = await world.query<{ there: boolean }>(
        `select to_regclass('next_version') is not null as there`,
      )
      if (!found?.there) throw new Error('the migration was not run')
    },
  },
]
