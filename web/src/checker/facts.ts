import type { CatchProv, Fisher, TrackingReading } from '@befaqt/domain/box'
import { probesOf, standingRecall } from '@befaqt/domain/box-history'
import { boxMetrics } from '@befaqt/domain/box-metrics'
import type { FactData, FactKind } from '@befaqt/domain/box-records'
import { rebuildBox } from '@befaqt/domain/rebuild-box'
import type { BoxRecord } from '@befaqt/provenance'
import type { ProofBundle } from '@befaqt/provenance/bundle'
import type { BoxResult } from '@befaqt/provenance/verdict'

type Shown = Extract<ProofBundle['records'][number], { data: unknown }>

/** What records of a box add up to: by the functions that shops use, run here. */
export interface Facts {
  /** So many records they were made of. */
  readonly records: number
  /** Records with content that were left out, since they are not proven. */
  readonly leftOut: number
  readonly fisher: Fisher | null
  readonly caught: CatchProv | null
  readonly readings: readonly TrackingReading[]
  readonly metrics: ReturnType<typeof boxMetrics>
  readonly handovers: readonly Handover[]
  readonly recall: { readonly reason: string; readonly at: string } | null
  readonly sealed: boolean
  readonly isSample: boolean
  /** What its weights come to, in words. */
  readonly weight: string
  /** Freshness indexes that were recorded. */
  readonly assessments: number
}

/** A change of hands as its record says it. */
export interface Handover {
  readonly at: string
  readonly from: string
  readonly to: string
  readonly accepted: boolean
  readonly temperature: number | null
}

/**
 * The facts of a bundle's records.
 * @param which `proven`: of those alone that the check found anchored; `all`: of every one that is shown, as the proof says
 */
export function factsOf(
  bundle: ProofBundle,
  result: BoxResult,
  timeZone: string,
  which: 'proven' | 'all',
): Facts {
  const readable = bundle.records.flatMap((record) => ('data' in record ? [record] : []))
  const anchored = new Set(
    result.records.filter(({ verdict }) => verdict === 'anchored').map(({ seq }) => seq),
  )
  const used = which === 'all' ? readable : readable.filter(({ seq }) => anchored.has(seq))
  const box = rebuildBox(bundle.box, used, { timeZone, txHashOf: () => null, readFact })
  const registered = used.some(({ kind }) => kind === 'registration')
  return {
    records: used.length,
    leftOut: readable.length - used.length,
    fisher: registered ? box.fisher : null,
    caught: box.catchProv,
    readings: box.iotResult?.iotTracking ?? [],
    metrics: boxMetrics(box, timeZone, probesOf(used, timeZone)),
    handovers: used.flatMap(handoverOf),
    recall: standingRecall(used),
    sealed: used.some(({ kind }) => kind === 'seal'),
    isSample: used.some(({ kind, data }) => kind === 'registration' && data.sample === true),
    weight: result.balance?.words ?? 'No weights stated.',
    assessments: box.freshness.length,
  }
}

/** What is read of a kind: texts, and numbers with how far from zero they may be. */
const shapes: Partial<Record<FactKind, Readonly<Record<string, 'text' | number>>>> = {
  registration: { traderName: 'text', companyName: 'text', boat: 'text' },
  catch: { time: 'text', boat: 'text', latitude: 90, longitude: 180, method: 'text', species: 'text' },
  tracking: { time: 'text', latitude: 90, longitude: 180, iotID: 'text', temperature: 1_000 },
  freshness: { freshnessIndex: 1_000_000, time: 'text' },
}

/** The payload of a record where it has what is read of it. Others stand in the list of records alone. */
function readFact<K extends FactKind>(kind: K, data: unknown): FactData<K> | undefined {
  const shape = shapes[kind]
  if (shape === undefined || !isObject(data)) return undefined
  const fits = Object.entries(shape).every(([name, limit]) => {
    const value = data[name]
    return limit === 'text'
      ? typeof value === 'string'
      : typeof value === 'number' && Math.abs(value) <= limit
  })
  return fits ? (data as FactData<K>) : undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function handoverOf({ kind, at, data }: Pick<Shown | BoxRecord, 'kind' | 'at' | 'data'>): Handover[] {
  const { from, to, accepted, temperature } = data
  if (kind !== 'handover' || typeof from !== 'string' || typeof to !== 'string') return []
  return [
    {
      at,
      from,
      to,
      accepted: accepted === true,
      temperature: typeof temperature === 'number' ? temperature : null,
    },
  ]
}
