import { randomUUID } from 'node:crypto'
import { type LimitAt, reconcile, silenceAround, type WarmStretch } from '@befaqt/domain/excursions'
import { carryOut, type EffectOf, type Handlers, life, moveTo, NEW, type StateOf } from '@befaqt/domain/life'
import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { excursionNotes, excursions } from '#server/db/schema/excursions.ts'
import { SYSTEM } from '#server/identity/principal.ts'
import { type ExcursionRow, type NoticeDeps, type NoticeEvent, queueNotices } from './notify.ts'

const readings = ['readings'] as const
const manager = ['manager'] as const
const withdraw = { to: 'withdrawn', by: readings, effects: ['tell: withdrawn'] } as const
const close = {
  to: 'closed',
  by: manager,
  effects: ['note the reason', 'audit', 'tell: closed', 'put the box back on sale if asked'],
} as const
const openAgain = { by: readings, effects: ['note that it is worse', 'tell: reopened'] } as const

/**
 * The life of an excursion. Readings, also late and corrected ones, move it as they are now; a manager closes it. What
 * becomes worse than what was judged then is opened again; else a closed one that ends or goes on is not told of.
 */
export const excursionLife = life({
  new: {
    begin: { to: 'open', by: readings, effects: ['tell: opened'] },
    'be seen when it is over': { to: 'ended', by: readings, effects: ['tell: opened'] },
  },
  open: { end: { to: 'ended', by: readings, effects: ['tell: ended'] }, close, withdraw },
  ended: { resume: { to: 'open', by: readings, effects: ['tell: resumed'] }, close, withdraw },
  closed: {
    'become worse': { to: 'open', ...openAgain },
    'have been worse': { to: 'ended', ...openAgain },
    withdraw,
  },
  withdrawn: {},
})
type ExcursionLife = typeof excursionLife

export const stateOf = (
  row: Pick<ExcursionRow, 'endedAt' | 'closedAt' | 'withdrawnAt'>,
): StateOf<ExcursionLife> => {
  if (row.withdrawnAt !== null) return 'withdrawn'
  if (row.closedAt !== null) return 'closed'
  return row.endedAt === null ? 'open' : 'ended'
}

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

/**
 * Silences: what readings since then say of those that are known, and whether the sensor is silent now. One that nobody
 * judged moves on while a sensor that is silent sends what it kept: it is the same silence, which begins later.
 */
function silenceChanges({ known, times, silentAfter, isUnderWay, now }: Followed): ExcursionChange[] {
  const last = times.at(-1)
  if (silentAfter === null || last === undefined) return []
  const usual = (silentAfter - last) / 2
  const isSilent = isUnderWay && silentAfter < now
  const since = new Date(silentAfter)
  let isKnown = false
  const changes = known.flatMap((row): ExcursionChange[] => {
    if (row.kind !== 'silent') return []
    const found = silenceAround(row.since.getTime(), times, usual)
    const goesOn = found === null ? row.endedAt === null && row.closedAt === null : found.until === null
    if (isSilent && goesOn && !isKnown) {
      isKnown = true
      return row.endedAt === null ? changeOf(row, { since }) : [] // it ended with the journey
    }
    if (found === null) return [{ withdrawn: row, into: null }]
    if (found.until !== null) return changeOf(row, { endedAt: new Date(found.until) })
    if (row.endedAt !== null) return []
    return isUnderWay ? [{ withdrawn: row, into: null }] : changeOf(row, { endedAt: new Date(now) })
  })
  return isSilent && !isKnown ? [...changes, { opened: { kind: 'silent', since } }] : changes
}

/**
 * Writes these changes of a box, and does what the table says of them in the same transaction: nothing for one that only
 * moved in time.
 */
export async function saveChanges(
  tx: Tx,
  deps: NoticeDeps,
  boxId: string,
  changes: readonly ExcursionChange[],
): Promise<void> {
  for (const change of changes) {
    const { from, row } = await saveChange(tx, deps, boxId, change)
    if (row === undefined) continue
    const move = moveTo(excursionLife, from, stateOf(row), 'readings')
    await carryOut(move?.effects, followUps, { tx, deps, row })
  }
}

type Saved = { from: StateOf<ExcursionLife> | typeof NEW; row: ExcursionRow | undefined }

async function saveChange(tx: Tx, deps: NoticeDeps, boxId: string, change: ExcursionChange): Promise<Saved> {
  if ('opened' in change) {
    const values = { id: randomUUID(), boxId, ...change.opened }
    const [row] = await tx.insert(excursions).values(values).returning()
    return { from: NEW, row }
  }
  const isWithdrawn = 'withdrawn' in change
  const before = isWithdrawn ? change.withdrawn : change.known
  const set = isWithdrawn ? { withdrawnAt: deps.now(), mergedInto: change.into } : change.set
  const update = async (set: Partial<ExcursionRow>) => {
    const [row] = await tx.update(excursions).set(set).where(eq(excursions.id, before.id)).returning()
    return row
  }
  const after = await update(set)
  const isWorse = after !== undefined && stateOf(after) === 'closed' && after.grade > before.grade
  const row = isWorse ? await update({ closedAt: null, closedBy: null, closeReason: null }) : after
  return { from: stateOf(before), row }
}

type Told = { tx: Tx; deps: NoticeDeps; row: ExcursionRow }

/** Tells of an excursion, as it is now. */
export const tell =
  (event: NoticeEvent) =>
  ({ tx, deps, row }: Told): Promise<void> =>
    queueNotices(tx, deps, row, event)

/** What moves by readings bring about. */
const followUps = {
  'tell: opened': tell('opened'),
  'tell: ended': tell('ended'),
  'tell: resumed': tell('resumed'),
  'note that it is worse': async ({ tx, row: { id, grade } }) => {
    const text = `Opened again: ${grade} hours above the limit in total.`
    await tx.insert(excursionNotes).values({ excursionId: id, text, who: SYSTEM })
  },
  'tell: reopened': tell('reopened'),
  'tell: withdrawn': tell('withdrawn'),
} satisfies Partial<Handlers<EffectOf<ExcursionLife>, [Told], void>>

/** What is left to whoever closes one. */
export type ClosingEffect = Exclude<EffectOf<ExcursionLife>, keyof typeof followUps>
