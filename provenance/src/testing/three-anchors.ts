import type { ProofBundle } from '../bundle.ts'
import type { BoxResult } from '../verdict.ts'
import { World } from './world.ts'

/** Box A: records 1–2, 3, 4–6 in three anchors, with two more boxes beside it. */
export function threeAnchors(): World {
  const world = new World()
  for (const box of ['A', 'B', 'C']) world.append(box, 'registration', { box })
  world.append('A', 'catch', { species: 'sample' })
  world.anchor()
  world.append('A', 'tracking', { temperature: 2 })
  world.anchor()
  for (const temperature of [3, 4, 5]) world.append('A', 'tracking', { temperature })
  world.anchor()
  return world
}

export const verdictsOf = ({ records }: BoxResult) => records.map(({ verdict }) => verdict)
export const codesOf = ({ reasons }: BoxResult) => reasons.map(({ code }) => code)

/** The bundle of box A with record `seq` changed. */
export const withChanged = (bundle: ProofBundle, seq: number, change: object): unknown => ({
  ...bundle,
  records: bundle.records.map((record) => (record.seq === seq ? { ...record, ...change } : record)),
})
