import assert from 'node:assert/strict'
import { renumbered } from '../attack/forge.ts'
import type { AbsenceBundle, ProofBundle } from '../bundle.ts'
import { type BoxRecord, recordHash, toHex } from '../index.ts'
import type { ReasonCode } from '../verdict.ts'
import { recordsOf, showing, withRecord } from './dishonest-server.ts'
import type { Shop } from './shop.ts'

/** A lie that a server tells, the proof with which it does, and the reason by which it is named. */
export type Lie = readonly [
  what: string,
  named: ReasonCode,
  tell: (shop: Shop) => ProofBundle | AbsenceBundle,
]

const withheldAs =
  (seq: number, as: (records: readonly BoxRecord[]) => BoxRecord | undefined) => (shop: Shop) => {
    const bundle = shop.bundleOf('A')
    const hash = toHex(recordHash(as(recordsOf(shop)) ?? assert.fail()))
    return {
      ...bundle,
      records: bundle.records.with(seq - 1, { seq, recordHash: hash, withheld: true } as const),
    }
  }

/** One field of one record is another. */
export const otherValues: readonly Lie[] = [
  ['a measured value', 'head_mismatch', withRecord(4, { data: { temperature: 0.1 } })],
  ['a value that a correction supersedes', 'head_mismatch', withRecord(4, { data: { temperature: 4.5 } })],
  ['a figure', 'head_mismatch', withRecord(6, { data: { freshnessIndex: 0.1, daysLeft: 31 } })],
  ['a number as text', 'head_mismatch', withRecord(3, { data: { temperature: '2' } })],
  ['every reading a copy of the coldest', 'head_mismatch', withRecord(4, { data: { temperature: 2 } })],
  ['a time, backdated', 'head_mismatch', withRecord(4, { at: '2026-11-01T00:00:00Z' })],
  ['a device', 'head_mismatch', withRecord(4, { by: 'device-9' })],
  ['a kind', 'head_mismatch', withRecord(5, { kind: 'image-result' })],
  ['a salt', 'head_mismatch', withRecord(5, { salt: '0'.repeat(32) })],
  ['a box', 'record_of_other_box', withRecord(3, { box: 'B' })],
  ['a fingerprint of a withheld record', 'head_mismatch', withheldAs(4, (all) => all[2])],
]

/** Records are hidden, added, moved or of another box. */
export const otherRows: readonly Lie[] = [
  [
    'readings in another order',
    'record_out_of_place',
    showing((all) => all.with(2, all[3] as BoxRecord).with(3, all[2] as BoxRecord)),
  ],
  [
    'readings in another order, renumbered',
    'head_mismatch',
    showing((all) => renumbered(all.with(2, all[3] as BoxRecord).with(3, all[2] as BoxRecord))),
  ],
  ['a reading twice', 'record_out_of_place', showing((all) => all.toSpliced(3, 0, all[2] as BoxRecord))],
  [
    'a reading twice, renumbered',
    'head_mismatch',
    showing((all) => renumbered(all.toSpliced(3, 0, all[2] as BoxRecord))),
  ],
  ['a reading once that is there twice', 'head_mismatch', showing((all) => renumbered(all.toSpliced(3, 1)))],
  ['a result hidden', 'record_missing', showing((all) => all.toSpliced(4, 1))],
  [
    'a result hidden, the others renumbered',
    'head_mismatch',
    showing((all) => renumbered(all.toSpliced(4, 1))),
  ],
  ['the newest record hidden, a correction', 'newest_records_missing', showing((all) => all.slice(0, -1))],
  [
    'the newest record hidden with its anchors',
    'newer_anchor',
    (shop) => {
      const bundle = showing((all) => all.slice(0, -1))(shop)
      return { ...bundle, anchors: bundle.anchors.slice(0, 2) }
    },
  ],
  [
    'a record more than the ledger knows, behind the seal',
    'record_after_seal',
    (shop) => {
      shop.append('A', 'seal')
      shop.anchor()
      shop.append('A', 'tracking', { temperature: 1 })
      return shop.bundleOf('A')
    },
  ],
  [
    'the records of another box',
    'record_of_other_box',
    (shop) => ({ ...shop.bundleOf('A'), records: shop.histories.get('B') ?? [] }),
  ],
  [
    'the records and anchors of another box',
    'anchor_of_other_box',
    (shop) => ({ ...shop.bundleOf('B'), box: 'A' }),
  ],
]

/** Denies box A in the newest anchor, with what the map of this one says at its place. */
function absenceOfA(shop: Shop, index: number): AbsenceBundle {
  const { other, path } = shop.proofOf(index, 'A')
  return { ...shop.absenceOf('not there'), box: 'A', other, path }
}

/** The box that is there is called absent. */
export const absence: readonly Lie[] = [
  ['in the newest anchor', 'absence_mismatch', (shop) => absenceOfA(shop, 5)],
  [
    'in the newest anchor, by the path from before it was there',
    'absence_mismatch',
    (shop) => absenceOfA(shop, 0),
  ],
  [
    'by the proof of a box that is not there',
    'absence_mismatch',
    (shop) => ({ ...shop.absenceOf('not there'), box: 'A' }),
  ],
]
