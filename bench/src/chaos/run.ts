import { audit } from './audit.ts'
import { faults } from './faults.ts'
import { startLoad } from './load.ts'
import { openWorld } from './world.ts'

export type ChaosOptions = {
  rounds: number
  truthMs: number
  pauseMs: number
  /** More settings of the shop. */
  env?: Record<string, string>
}

/**
 * Injects every fault into a running shop under load, `rounds` times, and checks the invariants.
 * @param truthMs time limit for /readyz to report what is unavailable
 * @param pauseMs of each of five clients between two requests
 * @param print prints a line about each fault @throws Error naming the violated invariant
 */
export async function chaos(
  programs: { main: string[]; worker: string[] },
  { rounds, truthMs, pauseMs, env = {} }: ChaosOptions,
  print: (line: string) => void,
): Promise<void> {
  await using world = await openWorld(programs, truthMs, env)
  const load = startLoad(world.balancer.url, world.key, world.boxes, pauseMs)
  try {
    for (let round = 1; round <= rounds; round++)
      for (const fault of faults) {
        const began = performance.now()
        const seen = await fault.happen(world, load).catch((cause: unknown) => {
          throw new Error(`${fault.name}: ${cause instanceof Error ? cause.message : cause}`, { cause })
        })
        print(`${fault.name} (${((performance.now() - began) / 1000).toFixed(1)} s): ${seen}`)
      }
    await load.stop()
  } catch (error) {
    await load.stop({ abandon: true }).catch(() => undefined)
    throw error
  }
  for (const line of await audit(world, load)) print(line)
}
