import { boxMetrics } from '@befaqt/domain/box-metrics'
import { boxOfRecords, recordsOfBox } from '@befaqt/domain/box-records'
import { recordLevel } from '@befaqt/domain/reading-level'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { recordHash, toHex } from '@befaqt/provenance'
import type { ProofBundle } from '@befaqt/provenance/bundle'
import type { BoxResult } from '@befaqt/provenance/verdict'
import type { ProvablePage } from '../check/page-match.ts'

const timeZone = 'Australia/Sydney'
export const market = { timeZone, latitude: -33.87, longitude: 151.19 }
const TX = `0x${'cd'.repeat(32)}`
const anchor = { index: 4, txHash: TX, blockNumber: 9, time: '2026-11-19T06:00:00Z' }

/** A record that is none is withheld. */
type Payload = { kind: string; data: object } | null

const reading = (time: string, temperature: number) => ({
  time,
  latitude: -33.87,
  longitude: 151.19,
  iotID: 'L-1',
  temperature,
})

/** A box at market with a correction of its third record. */
export const payloads: Payload[] = [
  ...recordsOfBox(sampleBox(), { at: '2026-11-18T00:00:00Z', by: 'key:1' }).map(({ kind, data }) => ({
    kind,
    data,
  })),
  { kind: 'tracking', data: reading('2026-11-18 09:00:00', 9.8) },
  { kind: 'tracking', data: reading('2026-11-18 10:00:00', 2.2) },
  {
    kind: 'correction',
    data: { corrects: 9, reason: 'in the sun', data: reading('2026-11-18 09:00:00', 3.3) },
  },
]

/** A bundle of these payloads, and what a check that found nothing says of it. */
export function bundleOf(all: readonly Payload[], boxID: string): { bundle: ProofBundle; result: BoxResult } {
  const records = all.map((payload, i): ProofBundle['records'][number] => {
    const seq = i + 1
    if (payload === null) return { seq, recordHash: 'ef'.repeat(32), withheld: true }
    const record = {
      v: 1,
      box: boxID,
      seq,
      at: '2026-11-18 09:00:00',
      by: 'L-1',
      salt: '00'.repeat(16),
    } as const
    return JSON.parse(JSON.stringify({ ...record, ...payload }))
  })
  const ledger = { chainId: 31337, contract: `0x${'00'.repeat(20)}`, rpc: 'http://localhost' }
  const found = records.map((record): BoxResult['records'][number] => {
    const withheld = !('data' in record)
    const verdict = withheld ? 'withheld' : 'anchored'
    const hash = withheld ? record.recordHash : toHex(recordHash(record))
    return {
      seq: record.seq,
      recordHash: hash,
      verdict,
      code: verdict,
      words: '',
      withheld,
      anchor,
      latenessS: 60,
    }
  })
  const result: BoxResult = {
    verdict: 'verified',
    words: '',
    reasons: [],
    box: boxID,
    sealed: false,
    upTo: records.length,
    withheld: records.filter((record) => !('data' in record)).length,
    signatures: { sensor: 0, gateway: 0, unconfirmed: 0 },
    lateness: { largestS: 60, overAnHour: 0 },
    records: found,
  }
  return { bundle: { v: 2, box: boxID, records, ledger, anchors: [] }, result }
}

/** The page as an honest server makes it, with the schemas. */
export function honestPage({ bundle, result }: ReturnType<typeof bundleOf>): ProvablePage {
  const readable = bundle.records.flatMap((record) => ('data' in record ? record : []))
  const box = boxOfRecords(bundle.box, readable, timeZone, () => TX)
  return JSON.parse(
    JSON.stringify({
      box,
      figures: boxMetrics(box, timeZone),
      sealed: false,
      sample: false,
      recall: null,
      offSale: false,
      stage: 'at market',
      records: bundle.records.map((record, i) => ({
        seq: record.seq,
        ...('data' in record
          ? {
              kind: record.kind,
              at: record.at,
              by: record.by,
              ...(record.kind === 'correction' && { corrects: 9 }),
              ...recordLevel(record.kind, record.data),
            }
          : { kind: 'tracking', at: '', by: '' }),
        recordHash: result.records[i]?.recordHash,
        state: 'data' in record ? 'anchored' : 'withheld',
        txHash: TX,
        anchorIndex: anchor.index,
        anchoredAt: anchor.time,
      })),
    }),
  )
}
