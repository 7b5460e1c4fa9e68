import type { BoxPageView, RecordRow } from '@befaqt/domain/api/box-api'
import { probesOf, standingRecall } from '@befaqt/domain/box-history'
import { boxMetrics, stageOf } from '@befaqt/domain/box-metrics'
import type { FactData, FactKind } from '@befaqt/domain/box-records'
import type { Place } from '@befaqt/domain/place'
import { recordLevel } from '@befaqt/domain/reading-level'
import { rebuildBox } from '@befaqt/domain/rebuild-box'
import type { JsonObject } from '@befaqt/provenance'
import type { ProofBundle } from '@befaqt/provenance/bundle'
import type { BoxResult } from '@befaqt/provenance/verdict'

/**
 * A value that the page shows and the one that its records make. `path`: to it in the page; the last step `length` or
 * `order` is of a list.
 */
export type Difference = {
  path: readonly (string | number)[]
  shown: string | number | boolean | null
  proven: string | number | boolean | null
}

/** How a page compares with the proven records. `older`: it shows only the first records, and these correctly. */
export type PageMatch =
  | { kind: 'same' }
  | { kind: 'older'; missing: number }
  | { kind: 'differs'; differences: Difference[] }

/** The parts of a page that are compared, most important first. */
const PARTS = [
  ['box', 'boxID'],
  ['figures'],
  ['box', 'catchProv'],
  ['recall'],
  ['sealed'],
  ['stage'],
  ['box', 'iotResult'],
  ['box', 'imageProc'],
  ['box', 'e_nose'],
  ['box', 'freshness'],
  ['box', 'fisher'],
  ['sample'],
  ['records'],
] as const

/** Reported for each part; a page that is false throughout has thousands. */
const MAX_PER_PART = 10

/** Compares all that a page shows with what the proven records make. Call it only with a bundle that was verified. */
export function matchPage(shown: ShownPage, bundle: ProofBundle, result: BoxResult): PageMatch {
  const missing = bundle.records.length - shown.view.records.length
  if (missing < 0) return { kind: 'differs', differences: [lengthOf(['records'], shown.view, bundle)] }
  const proven = provenPage(bundle, result, shown)
  const differences = PARTS.flatMap((path) => findDifferences(at(shown.view, path), at(proven, path), path))
  if (differences.length > 0) return { kind: 'differs', differences }
  return missing === 0 ? { kind: 'same' } : { kind: 'older', missing }
}

const lengthOf = (path: string[], shown: ProvablePage, proven: ProofBundle): Difference => ({
  path: [...path, 'length'],
  shown: shown.records.length,
  proven: proven.records.length,
})

const at = (page: ProvablePage, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), page)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every value in which two trees differ, up to a limit. A missing field is the same as an empty one. */
function findDifferences(
  shown: unknown,
  proven: unknown,
  path: Difference['path'],
  most = MAX_PER_PART,
): Difference[] {
  const found: Difference[] = []
  const compare = (a: unknown, b: unknown, way: Difference['path']): void => {
    if (found.length >= most || a === b || (a == null && b == null)) return
    if (Array.isArray(a) && Array.isArray(b)) compareLists(a, b, way)
    else if (isObject(a) && isObject(b))
      for (const name of new Set([...Object.keys(b), ...Object.keys(a)]))
        compare(a[name], b[name], [...way, name])
    else found.push({ path: way, shown: brief(a), proven: brief(b) })
  }
  const compareLists = (a: readonly unknown[], b: readonly unknown[], way: Difference['path']): void => {
    if (a.length !== b.length) found.push({ path: [...way, 'length'], shown: a.length, proven: b.length })
    else if (a.some((item, i) => differ(item, b[i])) && sameItems(a, b))
      found.push({ path: [...way, 'order'], shown: null, proven: null })
    else for (const [i, item] of a.entries()) compare(item, b[i], [...way, i])
  }
  compare(shown, proven, path)
  return found
}

const differ = (a: unknown, b: unknown): boolean => findDifferences(a, b, [], 1).length > 0

const sameItems = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.map(textOf).sort().join() === b.map(textOf).sort().join()

/** The same text for equal values, whatever the order of their fields. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  )

/** As much of a value as a sentence can hold. */
function brief(value: unknown): Difference['shown'] {
  if (value == null) return null
  if (typeof value === 'string') return value.slice(0, 200)
  return typeof value === 'number' || typeof value === 'boolean' ? value : 'something'
}

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
  ...recordLevel(kind, data),
})
