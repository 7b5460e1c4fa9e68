import type { BoxPageView } from '@befaqt/domain/api/box-api'
import { formatTime } from '#web/time/time.tsx'
import { degrees } from '../chart/readings.ts'
import { recordLabels } from '../records/record-labels.ts'

/** The id of the newest event of a box that its page shows, as the server writes it. */
export function shownEvent({ records }: Pick<BoxPageView, 'records'>): string {
  const anchor = records.findLast(({ anchorIndex }) => anchorIndex !== null)?.anchorIndex
  return `${records.length}-${anchor ?? 'none'}`
}

type Shown = Pick<BoxPageView, 'box' | 'records'>

/** What a newer page of a box has that the one before had not, in a sentence; blank when nothing was added. */
export function newsText(before: Shown, after: Shown, timeZone: string): string {
  const [old, readings] = [readingsOf(before), readingsOf(after)]
  const last = after.box.iotResult?.iotTracking.at(-1)
  const count = readings - old
  if (count > 0 && last !== undefined) {
    const reading = `${degrees(last.temperature)}, ${formatTime(last.time, timeZone)}`
    return count === 1 ? `New reading: ${reading}.` : `${count} new readings, the last: ${reading}.`
  }
  const kinds = new Set(
    after.records.slice(before.records.length).map(({ kind }) => recordLabels[kind] ?? kind),
  )
  if (kinds.size > 0) return `New in the records: ${[...kinds].join(', ')}.`
  const anchored = pendingIn(before) - pendingIn(after)
  if (anchored <= 0) return ''
  return anchored === 1 ? '1 record is anchored now.' : `${anchored} records are anchored now.`
}

const readingsOf = ({ box }: Shown): number => box.iotResult?.iotTracking.length ?? 0

const pendingIn = ({ records }: Shown): number => records.filter(({ state }) => state === 'pending').length
