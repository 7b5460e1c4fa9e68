import { randomUUID } from 'node:crypto'
import { type LimitAt, reconcile, silenceAround, type WarmStretch } from '@befaqt/domain/excursions'
import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { excursionNotes, excursions } from '#server/db/schema/excursions.ts'
import { SYSTEM } from '#server/identity/principal.ts'
import { type ExcursionRow, type NoticeDeps, type NoticeEvent, queueNotices } from './notify.ts'

type NewExcursion = Omit<typeof excursions.$inferInsert, 'id' | 'boxId'>

/** One row that is opened, changed or withdrawn. */
export type ExcursionChange =
  | { opened: NewExcursion }
  | { known: ExcursionRow; set: Partial<ExcursionRow> }
  | { withdrawn: ExcursionRow; into: string | null }

/** What is known of a box and what is so now. Times in milliseconds since 1970. */
type Followed = {
  /** Excursions that may have changed. */
  known: readonly ExcursionRow[]
  stretches: readonly WarmStretch[]
  limitAt: LimitAt
  /** Of readings, in order: all, or the last that was followed before and those since. */
  times: readonly number[]
  silentAfter: number | null
  isUnderWay: boolean
  now: number
}

/** Rows to write so that the box has the excursions of now: first those that go, so that others can take their place. */
export const changesOf = (followed: Followed): ExcursionChange[] => [
  ...warmChanges(followed),
  ...silenceChanges(followed),
]

const date = (at: number | null): Date | null => (at === null ? null : new Date(at))

function warmChanges({ known, stretches, limitAt }: Followed): ExcursionChange[] {
  const warm = known
    .filter(({ kind }) => kind === 'warm')
    .map((row) => ({
      row,
      since: row.since.getTime(),
      until: row.endedAt?.getTime() ?? null,
      isClosed: row.closedAt !== null,
    }))
  const { kept, opened, withdrawn } = reconcile(warm, stretches)
  return [
    ...withdrawn.map(({ known: { row }, into }) => ({ withdrawn: row, into: into?.row.id ?? null })),
    // The last first: one that takes the beginning of another comes after that one has moved on.
    ...kept.reverse().flatMap(({ known: { row }, stretch }) => changeOf(row, columnsOf(stretch))),
    ...opened.map((stretch) => {
      const { degrees, minutes } = limitAt(stretch.since)
      const limit = { limitDegrees: degrees, limitMinutes: minutes }
      return { opened: { kind: 'warm' as const, ...columnsOf(stretch), ...limit } }
    }),
  ]
}

const columnsOf = ({ since, until, peak, peakAt, grade }: WarmStretch) => ({
  since: new Date(since),
  endedAt: date(until),
  peak,
  peakAt: new Date(peakAt),
  grade,
})

const changeOf = (known: ExcursionRow, set: Partial<ExcursionRow>): ExcursionChange[] => {
  const values = (row: Partial<ExcursionRow>) =>
    JSON.stringify([row.since, row.endedAt, row.peak, row.peakAt, row.grade])
  return values(known) === values({ ...known, ...set }) ? [] : [{ known, set }]
}

/** Silences: what readings since then say of those that are known, and whether the sensor is silent now. */
function silenceChanges({ known, times, silentAfter, isUnderWay, now }: Followed): ExcursionChange[] {
  const last = times.at(-1)
  if (silentAfter === null || last === undefined) return []
  const usual = (silentAfter - last) / 2
  const isSilent = isUnderWay && silentAfter < now
  const silences = known.filter(({ kind }) => kind === 'silent')
  const changes = silences.flatMap((row): ExcursionChange[] => {
    const found = silenceAround(row.since.getTime(), times, usual)
    if (found === null) return [{ withdrawn: row, into: null }]
    if (found.until !== null) return changeOf(row, { endedAt: new Date(found.until) })
    if (row.endedAt !== null) return [] // it ended with the journey
    if (isSilent) return changeOf(row, { since: new Date(silentAfter) })
    return isUnderWay ? [{ withdrawn: row, into: null }] : changeOf(row, { endedAt: new Date(now) })
  })
  const since = silentAfter
  const isKnown = silences.some((row) => silenceAround(row.since.getTime(), times, usual)?.until === null)
  if (!isSilent || isKnown) return changes
  return [...changes, { opened: { kind: 'silent', since: new Date(since) } }]
}

/**
 * Writes these changes of a box, and queues what is to be said of them in the same transaction. One that reaches a grade
 * after a manager closed it is opened again: what was judged then was less.
 */
export async function saveChanges(
  tx: Tx,
  deps: NoticeDeps,
  boxId: string,
  changes: readonly ExcursionChange[],
): Promise<void> {
  for (const change of changes) {
    if ('opened' in change) {
      const values = { id: randomUUID(), boxId, ...change.opened }
      const [row] = await tx.insert(excursions).values(values).returning()
      if (row) await queueNotices(tx, deps, row, 'opened')
      continue
    }
    const isWithdrawn = 'withdrawn' in change
    const before = isWithdrawn ? change.withdrawn : change.known
    const set = isWithdrawn ? { withdrawnAt: deps.now(), mergedInto: change.into } : change.set
    const [after] = await tx.update(excursions).set(set).where(eq(excursions.id, before.id)).returning()
    if (after && !isWithdrawn && after.closedAt !== null && after.grade > before.grade) {
      await openAgain(tx, deps, after)
      continue
    }
    const event = isWithdrawn ? 'withdrawn' : eventOf(before, change.set)
    if (after && event) await queueNotices(tx, deps, after, event)
  }
}

async function openAgain(tx: Tx, deps: NoticeDeps, { id, grade }: ExcursionRow): Promise<void> {
  const reopened = { closedAt: null, closedBy: null, closeReason: null }
  const [row] = await tx.update(excursions).set(reopened).where(eq(excursions.id, id)).returning()
  const text = `Opened again: ${grade} hours above the limit in total.`
  await tx.insert(excursionNotes).values({ excursionId: id, text, who: SYSTEM })
  if (row) await queueNotices(tx, deps, row, 'reopened')
}

/** What is said of a change: nothing of one that only moved, or that a manager has closed. */
function eventOf(before: ExcursionRow, { endedAt }: Partial<ExcursionRow>): NoticeEvent | undefined {
  if (before.closedAt !== null || endedAt === undefined) return undefined
  if (before.endedAt === null) return endedAt === null ? undefined : 'ended'
  return endedAt === null ? 'resumed' : undefined
}
