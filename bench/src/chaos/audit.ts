import { setTimeout as wait } from 'node:timers/promises'
import { rpcLedger } from '@befaqt/provenance/rpc-ledger'
import { verifyBundle } from '@befaqt/provenance/verify'
import type { Load } from './load.ts'
import type { World } from './world.ts'

const ANCHORED_MS = 120_000

/**
 * Invariants after all faults: no process died, every acknowledged reading is stored once, ledger and database agree, and
 * every box verifies. @returns sentences for the report @throws Error naming the violated invariant
 */
export async function audit(world: World, load: Load): Promise<string[]> {
  const died = [...world.webs, world.worker].flatMap((one) => one.died ?? [])
  if (died.length > 0) throw new Error(died.join(', '))
  const readings = await checkReadings(world, load)
  return [
    'no process ended',
    `${readings} readings acknowledged, each stored once`,
    ...(await auditLedger(world)),
  ]
}

/** Of a world, what the audit of its ledger asks. */
type Anchored = Pick<World, 'query' | 'node' | 'webs' | 'boxes'>

/** Once nothing waits any more: ledger and database agree, and every box verifies. @throws Error */
export async function auditLedger(world: Anchored): Promise<string[]> {
  await untilNothingPending(world)
  const anchors = await checkAnchors(world)
  for (const box of world.boxes) await checkProof(world, box)
  return [`${anchors} anchors, as many on the ledger, none twice`, `${world.boxes.length} boxes verified`]
}

async function checkReadings(world: World, load: Load): Promise<number> {
  let sum = 0
  for (const [box, ids] of load.acknowledged) {
    const found = await world.query<{ key: string; n: number }>(
      `select dedupe_key as key, count(*)::int as n from records
       where box_id = '${box}' and kind = 'tracking' and dedupe_key is not null group by dedupe_key`,
    )
    const stored = new Map(found.map(({ key, n }) => [key, n]))
    const lost = [...ids].filter((id) => !stored.has(`id:${id}`))
    if (lost.length > 0) throw new Error(`${box} lost ${lost.length} acknowledged readings, first ${lost[0]}`)
    const doubled = found.filter(({ n }) => n > 1)
    if (doubled.length > 0) throw new Error(`${box} has ${doubled.length} readings twice`)
    sum += ids.size
  }
  return sum
}

async function untilNothingPending(world: Anchored): Promise<void> {
  const late = performance.now() + ANCHORED_MS
  for (;;) {
    const [left] = await world.query<{ n: number }>(
      `select (select count(*) from anchors where state <> 'confirmed')::int
            + (select coalesce(sum(count), 0) from boxes)::int - (select coalesce(sum(records), 0) from anchors)::int as n`,
    )
    if (left?.n === 0) return
    if (performance.now() > late)
      throw new Error(`${left?.n} records and anchors still wait after ${ANCHORED_MS} ms`)
    await wait(500)
  }
}

async function checkAnchors(world: Anchored): Promise<number> {
  const contract = await contractOf(world)
  const anchors = await world.query<{ index: number; root: string }>(
    'select index, root from anchors order by index',
  )
  const count = await world.node.chain.anchorCount(contract)
  if (count !== anchors.length) throw new Error(`${anchors.length} anchors, but ${count} on the ledger`)
  for (const { index, root } of anchors) {
    const found = await world.node.chain.anchorOf(contract, index)
    if (found?.root !== root) throw new Error(`anchor ${index} has another root on the ledger`)
  }
  return count
}

async function contractOf(world: Anchored): Promise<`0x${string}`> {
  const [ledger] = await world.query<{ contract: `0x${string}` }>('select contract from ledgers')
  if (ledger === undefined) throw new Error('there is no ledger')
  return ledger.contract
}

async function checkProof(world: Anchored, box: string): Promise<void> {
  const contract = await contractOf(world)
  const answer = await fetch(`${world.webs[0].url}/api/box/${box}/proof`)
  const bundle: unknown = await answer.json()
  const result = await verifyBundle(bundle, rpcLedger(world.node.http.url, fetch, { contract }))
  if (result.verdict !== 'verified') throw new Error(`${box}: ${result.verdict}, ${result.words}`)
}
