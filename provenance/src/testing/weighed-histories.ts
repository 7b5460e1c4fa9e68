import type { BoxRecord, RecordKind } from '../index.ts'
import type { Chance } from './chance.ts'
import { Shop } from './shop.ts'

/** A fact about a box, before it has its place; `beforeS`: seconds before the block of its anchor. */
export type Fact = readonly [kind: RecordKind, data: BoxRecord['data'], beforeS?: number]

export const weight = (grams: number, of: 'catch' | 'box' = 'catch'): Fact => ['weight', { of, grams }]
export const sale = (grams: number): Fact => ['sale', { product: 'Snapper', grams }]
export const back = (grams: number): Fact => ['sale', { product: 'Snapper', grams, returned: true }]
export const loss = (grams: number): Fact => ['loss', { product: 'Snapper', grams, reason: 'dropped' }]
export const corrects = (seq: number, data: BoxRecord['data']): Fact => [
  'correction',
  { corrects: seq, reason: 'typed wrongly', data },
]

/** A shop with one box, A, of these facts, all of them anchored. */
export function shopOf(facts: readonly Fact[], anchorEvery = 5): Shop {
  const shop = new Shop()
  for (const [i, [kind, data, beforeS]] of facts.entries()) {
    shop.append('A', kind, data, beforeS)
    if (i % anchorEvery === anchorEvery - 1) shop.anchor()
  }
  shop.anchor()
  return shop
}

/** An honest history, and what is left in its box. */
export interface HonestHistory {
  readonly facts: readonly Fact[]
  readonly left: number
  /** Sales that stand, by their `seq`. */
  readonly sales: ReadonlyMap<number, number>
  readonly weighedAt: number
  readonly total: number
}

/** A box that was caught and weighed, and gave no more than that: sold, brought back, lost, corrected, in any order. */
export function honestHistory(chance: Chance): HonestHistory {
  const total = 1 + chance(chance(2) === 0 ? 60_000 : 1_000_000)
  const facts: Fact[] = [['registration', { by: 'sample' }]]
  if (chance(4) > 0) facts.push(['catch', { species: 'sample' }])
  facts.push(weight(total, chance(3) === 0 ? 'box' : 'catch'))
  const weighedAt = facts.length
  const sales = new Map<number, number>()
  let left = total
  for (let turn = chance(14); turn > 0; turn--) {
    const amount = 1 + chance(Math.max(1, left))
    const seq = facts.length + 1
    const [sold] = [...sales].slice(chance(Math.max(1, sales.size)))
    const turns: readonly (() => void)[] = [
      () => facts.push(['tracking', { temperature: chance(40) / 8 }]),
      () => facts.push(['offer', { product: 'Snapper', linked: chance(3) > 0, grams: total }]),
      () => {
        if (amount > left) return
        facts.push(sale(amount))
        sales.set(seq, amount)
        left -= amount
      },
      () => {
        if (amount > left) return
        facts.push(loss(amount))
        left -= amount
      },
      () => {
        if (sold === undefined) return
        facts.push(back(sold[1]))
        sales.delete(sold[0])
        left += sold[1]
      },
      () => {
        if (sold === undefined) return
        const instead = 1 + chance(left + sold[1])
        facts.push(corrects(sold[0], { product: 'Snapper', grams: instead }))
        sales.set(sold[0], instead)
        left += sold[1] - instead
      },
    ]
    turns[chance(turns.length)]?.()
  }
  return { facts, left, sales, weighedAt, total }
}

/** The ways in which a shop gives a gram more than the box holds. Each is the honest history, and goes on. */
export function overdrawn({ facts, left, sales, weighedAt, total }: HonestHistory, chance: Chance): Fact[] {
  const [one] = [...sales].slice(chance(Math.max(1, sales.size)))
  const of = facts[weighedAt - 1]?.[1].of === 'box' ? 'box' : 'catch'
  const taken = total - left
  const parts = 1 + chance(Math.max(1, left))
  const ways: readonly (() => Fact[] | undefined)[] = [
    () => (left < 1_000_000 ? [sale(left + 1)] : undefined),
    () => (left < 1_000_000 ? [loss(left + 1)] : undefined),
    () => (parts <= left ? [sale(parts), sale(left - parts + 1)] : undefined),
    () => (parts <= left ? [loss(parts), sale(left - parts + 1), back(1)] : undefined),
    () =>
      one && left + one[1] < 1_000_000
        ? [corrects(one[0], { product: 'Snapper', grams: left + one[1] + 1 })]
        : undefined,
    () => (taken > 1 ? [corrects(weighedAt, { of, grams: taken - 1 })] : undefined),
    () => (taken > 1 ? [weight(taken - 1, of)] : undefined),
  ]
  const first = chance(ways.length)
  for (let i = 0; i < ways.length; i++) {
    const more = ways[(first + i) % ways.length]?.()
    if (more !== undefined) return [...facts, ...more]
  }
  throw new RangeError('no way to give more than a tonne')
}
