import type { BoxPageView, RecordRow } from '@befaqt/domain/api/box-api'
import { boxMetrics } from '@befaqt/domain/box-metrics'
import type { FactData, FactKind } from '@befaqt/domain/box-records'
import { stageOf } from '@befaqt/domain/box-stage'
import type { Place } from '@befaqt/domain/distance'
import { probesOf } from '@befaqt/domain/probes'
import { readingLevel } from '@befaqt/domain/reading-level'
import { rebuildBox } from '@befaqt/domain/rebuild-box'
import { standingRecall } from '@befaqt/domain/recall'
import type { JsonObject } from '@befaqt/provenance'
import type { ProofBundle } from '@befaqt/provenance/bundle'
import type { BoxResult } from '@befaqt/provenance/verdict'

/** What a box page shows that its records can prove. The rest is the shop's word: addresses, pictures, products. */
export type ProvablePage = Pick<
  BoxPageView,
  'box' | 'figures' | 'records' | 'sealed' | 'recall' | 'stage' | 'sample'
>

/** The page as it was shown, with the clock and place of its market. */
export type ShownPage = { view: ProvablePage; market: Place & { timeZone: string } }

type ShownRecord = ProofBundle['records'][number]

/**
 * The page that the first records of a verified bundle make, as many as the shown page has, by the functions that the
 * server makes it with. What the records leave open is as it was shown: the kind of a withheld record, an anchor that
 * came after the page was made, and, without a coastline, whether a box on its way is at sea or on the road.
 */
export function provenPage(
  { box: boxID, records }: Pick<ProofBundle, 'box' | 'records'>,
  result: BoxResult,
  { view, market }: ShownPage,
): ProvablePage {
  const { timeZone } = market
  const known = records.slice(0, view.records.length)
  const readable = known.flatMap((record) => ('data' in record ? record : []))
  const rows = known.map((record, i) => provenRow(record, result.records[i], view.records[i]))
  const box = rebuildBox(boxID, readable, {
    timeZone,
    txHashOf: (seq) => rows[seq - 1]?.txHash ?? null,
    readFact,
  })
  const figures = boxMetrics(box, timeZone, probesOf(readable, timeZone))
  const sealed = readable.some(({ kind }) => kind === 'seal')
  const stage = sealed ? 'sealed' : stageOf(box, market, () => view.stage === 'at sea')
  const recall = provenRecall(readable, sealed, view.recall)
  const sample = view.sample || readable.some(saysSample)
  return { box, figures, records: rows, sealed, recall, stage, sample }
}

/** Boxes from before registrations said so are samples by the shop's word, which nobody gains by. */
const saysSample = ({ kind, data }: { kind: string; data: JsonObject }): boolean =>
  kind === 'registration' && data.sample === true

/**
 * What the records say of a recall. That of a box which was sealed before can't be among them: it is the shop's word.
 */
function provenRecall(
  readable: Parameters<typeof standingRecall>[0],
  sealed: boolean,
  shown: ProvablePage['recall'],
): ProvablePage['recall'] {
  const standing = standingRecall(readable)
  if (standing !== null) return { ...standing, inHistory: true }
  return sealed && shown?.inHistory === false ? shown : null
}

/** No schema library here: one that does not fit makes another page than the server's, which is then said. */
const readFact = <K extends FactKind>(_kind: K, data: unknown): FactData<K> | undefined =>
  typeof data === 'object' && data !== null ? (data as FactData<K>) : undefined

function provenRow(
  record: ShownRecord,
  found: BoxResult['records'][number] | undefined,
  shown: RecordRow | undefined,
): RecordRow {
  const anchor = shown?.txHash == null ? null : (found?.anchor ?? null)
  const withheld = !('data' in record)
  return {
    seq: record.seq,
    ...(withheld ? { kind: shown?.kind ?? '', at: '', by: '' } : shownPart(record)),
    recordHash: found?.recordHash ?? '',
    state: withheld ? 'withheld' : anchor === null ? 'pending' : 'anchored',
    txHash: anchor?.txHash ?? null,
    anchorIndex: anchor?.index ?? null,
    anchoredAt: anchor?.time ?? null,
  }
}

const shownPart = ({ kind, at, by, data }: Extract<ShownRecord, { data: unknown }>) => ({
  kind,
  at,
  by,
  ...(typeof data.corrects === 'number' ? { corrects: data.corrects } : {}),
  ...(kind === 'tracking' && { level: readingLevel(data) }),
})
