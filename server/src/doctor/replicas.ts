import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Replica } from '#server/db/replica.ts'
import { watchStandbys } from '#server/db/standbys.ts'
import { fault, note, ok, type Said, warning } from './finding.ts'
import { askHosts, type Host, sayHosts } from './hosts.ts'
import type { Reading } from './reading.ts'

/** How long a standby has for what was in the log at the first look; a statement asks for no longer. */
const BEHIND_S = 2
/** Looks at a replica, since one that is behind for a moment is right. */
const [LOOKS, PAUSE_MS] = [3, 500]

/**
 * Do standbys follow, those that commits wait for, too, and has one of them all? In two looks, since what PostgreSQL says
 * of a lag stands still when a standby does.
 * @param hosts those of the setting: with several, one is to follow the other
 */
export async function sayStandbys(
  reading: Reading,
  hosts: readonly Host[],
  limitMs: number,
): Promise<Said[]> {
  if (!hosts.some(({ facts }) => facts?.writes)) return [note('Not asked: no host takes writes.')]
  const state = await reading.read(limitMs, async (tx) => {
    const standbys = watchStandbys(tx, hosts.length > 1, BEHIND_S)
    const first = await standbys.look()
    if (first.fault !== null) return first
    await sleep((BEHIND_S + 0.5) * 1_000)
    return standbys.look()
  })
  const { following, synchronous, wanted, fault: words, atRisk } = state
  if (words === null)
    return following === 0
      ? [note('No standby follows, and none is wanted: what the server loses is in the backup alone.')]
      : [ok(`${following} standbys follow, and have all; commits wait for ${synchronous} of them.`)]
  const cost = atRisk && atRisk.orders + atRisk.anchors > 0
  const risk = cost ? ` Since then: ${atRisk.orders} orders, ${atRisk.anchors} anchors.` : ''
  const what = `The database: ${words}.${risk}`
  const todo = 'See Standbys in docs/operations.md.'
  return [synchronous < wanted ? fault(what, todo) : warning(what, todo)]
}

/** Does the replica of DATABASE_READ_URL answer what the shop would ask it? */
export async function sayReplica(url: string, hosts: readonly Host[]): Promise<Said[]> {
  const [own] = await askHosts(url)
  if (own?.facts === undefined)
    return sayHosts('DATABASE_READ_URL', own === undefined ? [] : [own]).map(({ words }) =>
      warning(words, 'The primary answers all reads meanwhile: correct the setting, or start it.'),
    )
  const primary = hosts.find(({ facts }) => facts?.writes)
  if (primary === undefined) return [note('Not asked: no host of DATABASE_URL takes writes.')]
  const asked = new pg.Pool({ connectionString: primary.address, max: 1, connectionTimeoutMillis: 3_000 })
  asked.on('error', () => undefined) // the question that fails reports it
  const replica = new Replica(url, asked, '')
  try {
    let why: string | null = null
    for (let look = 0; look < LOOKS; look++) {
      if (look > 0) await sleep(PAUSE_MS)
      why = (await replica.look(0)).fault
      if (why === null) return [ok(`The replica at ${own.name} has all that the primary has.`)]
    }
    return [
      warning(
        `DATABASE_READ_URL: ${own.name}: ${why}.`,
        'The primary answers what it should: see Reads from a replica in docs/operations.md.',
      ),
    ]
  } finally {
    void Promise.all([replica.close(), asked.end()]).catch(() => undefined) // one that hangs is not waited for
  }
}
