import type { ProofBundle } from '../bundle.ts'
import type { BoxResult } from '../verdict.ts'
import { Shop } from './shop.ts'

/** Box A: records 1–2, 3, 4–6 in three anchors, with two more boxes beside it. */
export function threeAnchors(): Shop {
  const shop = new Shop()
  for (const box of ['A', 'B', 'C']) shop.append(box, 'registration', { box })
  shop.append('A', 'catch', { species: 'sample' })
  shop.anchor()
  shop.append('A', 'tracking', { temperature: 2 })
  shop.anchor()
  for (const temperature of [3, 4, 5]) shop.append('A', 'tracking', { temperature })
  shop.anchor()
  return shop
}

export const verdictsOf = ({ records }: BoxResult) => records.map(({ verdict }) => verdict)
export const codesOf = ({ reasons }: BoxResult) => reasons.map(({ code }) => code)

/** The bundle of box A with record `seq` changed. */
export const withChanged = (bundle: ProofBundle, seq: number, change: object): ProofBundle => ({
  ...bundle,
  records: bundle.records.map((record) => (record.seq === seq ? { ...record, ...change } : record)),
})
