import { renumbered } from '../attack/forge.ts'
import type { FormerLengths, ProofBundle } from '../bundle.ts'
import { anchorBox, recordsOf, rewrite } from './dishonest-server.ts'
import type { Shop } from './shop.ts'

/** What a bundle has beyond one that was made before, as an honest shop says it. */
export function newsSince(former: ProofBundle, now: ProofBundle): ProofBundle & { kept: FormerLengths } {
  const grown = former.anchors.filter(({ leaf }, i) => leaf.count > (former.anchors[i - 1]?.leaf.count ?? 0))
  const kept = { records: former.records.length, anchors: grown.length }
  return { ...now, records: now.records.slice(kept.records), anchors: now.anchors.slice(kept.anchors), kept }
}

/** Lets box A grow and be anchored. */
export function grow(shop: Shop): void {
  shop.append('A', 'tracking', { temperature: 1 })
  shop.append('A', 'tracking', { temperature: 2 })
  shop.anchor()
}

type News = ReturnType<typeof newsSince>

const honest = (shop: Shop, former: ProofBundle): News => {
  grow(shop)
  return newsSince(former, shop.bundleOf('A'))
}

/** Lies about what came of box A since a visitor proved `former`. Joined with it, none of them is verified. */
export const liesOfNews: readonly (readonly [
  what: string,
  tell: (shop: Shop, former: ProofBundle) => object,
])[] = [
  [
    'of another box',
    (shop, former) => {
      shop.append('B', 'tracking')
      shop.anchor()
      return { ...newsSince(former, shop.bundleOf('B')), kept: { records: 0, anchors: 0 } }
    },
  ],
  [
    'of another box under this one’s number',
    (shop, former) => {
      for (let i = 0; i < 9; i++) shop.append('B', 'tracking')
      shop.anchor()
      return { ...newsSince(former, shop.bundleOf('B')), box: 'A' }
    },
  ],
  [
    'with a record left out',
    (shop, former) => {
      const news = honest(shop, former)
      return { ...news, records: news.records.slice(1) }
    },
  ],
  [
    'with a record left out and the others renumbered',
    (shop, former) => {
      const all = honest(shop, former) && recordsOf(shop)
      const { length } = former.records
      return {
        ...newsSince(former, shop.bundleOf('A')),
        records: renumbered(all.filter((_, i) => i !== length)).slice(length),
      }
    },
  ],
  [
    'with the anchors before hidden',
    (shop, former) => {
      const news = honest(shop, former)
      return { ...news, kept: { ...news.kept, anchors: news.kept.anchors - 1 } }
    },
  ],
  [
    'after an earlier record was rewritten, and anchored so',
    (shop, former) => {
      rewrite(shop)
      shop.append('A', 'tracking', { temperature: 1 })
      anchorBox(shop)
      return newsSince(former, shop.bundleOf('A'))
    },
  ],
  [
    'that brings an earlier record again, rewritten',
    (shop, former) => {
      const news = honest(shop, former)
      rewrite(shop)
      return { ...news, records: recordsOf(shop).slice(3), kept: { ...news.kept, records: 3 } }
    },
  ],
  [
    'that repeats records',
    (shop, former) => ({
      ...honest(shop, former),
      records: recordsOf(shop).slice(former.records.length - 1),
    }),
  ],
  [
    'with a count that fell',
    (shop, former) => {
      anchorBox(shop, recordsOf(shop).slice(0, 3))
      return { ...newsSince(former, former), anchors: shop.bundleOf('A').anchors.slice(-1) }
    },
  ],
  [
    'that keep more than there was',
    (shop, former) => {
      const news = honest(shop, former)
      return { ...news, kept: { ...news.kept, records: news.kept.records + 1 } }
    },
  ],
  [
    'of another ledger',
    (shop, former) => ({
      ...honest(shop, former),
      ledger: { ...former.ledger, contract: `0x${'1'.repeat(40)}` },
    }),
  ],
  [
    'that are none: the proof of before, with no word of what came',
    (shop, former) => {
      honest(shop, former)
      return { ...former, records: [], anchors: [], kept: newsSince(former, former).kept }
    },
  ],
]
