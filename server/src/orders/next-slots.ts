import { isDeepStrictEqual } from 'node:util'
import type { NextSlot } from '@befaqt/domain/api/order-api'
import type { SlotPlan } from '@befaqt/domain/api/slot-rule-api'
import { type FulfilmentKind, fulfilmentKinds } from '@befaqt/domain/order-states'
import type { Database, Db, Tx } from '#server/db/client.ts'
import type { Follower, HeardEvent } from '#server/db/event-feed.ts'
import { eventKinds } from '#server/db/events.ts'
import { DatabaseUnreachable, whileAnswering } from '#server/db/unreachable.ts'
import { slotPlan } from './slot-rules/fill-slots.ts'
import { openSlots } from './slots.ts'

/** Slots of each kind: when an open page's first is past, its next ones are there. */
const OF_A_KIND = 5
/** Freed places (a hold that ended, a cancelled order) are in no event: after so long it is read again. */
const MAX_AGE_MS = 30_000
/** From a database that does not answer to the next try. */
const RETRY_MS = 5_000
/** How long what was read last is shown while the database does not answer. */
const MAX_STALE_MS = 600_000
/** Public pages wait for it, after which they show what was read last. */
const patience = { askAfterMs: 400, answerMs: 400 }

/** `areas`: all postcodes that the next deliveries or rules of deliveries go to; `plan`: what slots are made from. */
type Times = { slots: readonly NextSlot[]; areas: readonly string[]; plan: SlotPlan }
/** `version`: another number whenever the times are others; `at`: when they were read. */
type Read = Times & { version: number; at: number }

/**
 * The next slots that take orders, in memory, so that a public page costs no query. What time does to them it sees by
 * the cut-offs; slots that were changed or filled up it hears of, those that got free again it finds with the next read.
 */
export class NextSlots implements Follower {
  readonly #database: Pick<Database, 'db' | 'answers'>
  #last: Read | undefined
  /** Raised by each change that is heard of; `#last` is as of `#readAs`. */
  #changes = 0
  #readAs = -1
  #reading: { as: number; done: Promise<void> } | undefined
  #retryAt = 0
  /** Why the last read failed. */
  #failure: unknown

  constructor(database: Pick<Database, 'db' | 'answers'>) {
    this.#database = database
  }

  /**
   * Those whose cut-off is still to come, of each kind at most five, the earliest first.
   * @throws DatabaseUnreachable when none were read, or too long ago: that there are none must not be said then
   */
  async open(now: Date): Promise<readonly NextSlot[]> {
    await this.#refresh()
    const slots = this.#openBy(now)
    if (slots === undefined) throw new DatabaseUnreachable(this.#failure)
    return slots
  }

  /**
   * When the shop is there for its buyers: the slots of `open`, the weekly rules that more of them come from, and where
   * deliveries go. @throws DatabaseUnreachable as `open`
   */
  async times(now: Date): Promise<Times> {
    const slots = await this.open(now)
    const { areas = [], plan = { rules: [], closedDays: [] } } = this.#last ?? {}
    return { slots, areas, plan }
  }

  /** Another text whenever `open` or `times` give something else. */
  async version(now: Date): Promise<string> {
    await this.#refresh()
    return `${this.#last?.version ?? 0} ${this.#openBy(now)?.length ?? 'unknown'}`
  }

  heard({ kind }: HeardEvent): void {
    if (kind === eventKinds.slotsChanged) this.clear()
  }

  missed(): void {
    this.clear()
  }

  /** After a change: the next answer is read from the database. */
  clear(): void {
    this.#changes += 1
    this.#retryAt = 0
  }

  #openBy(now: Date): readonly NextSlot[] | undefined {
    if (this.#last === undefined || performance.now() - this.#last.at > MAX_STALE_MS) return undefined
    return this.#last.slots.filter(
      ({ cutOffAt }) => cutOffAt !== null && Date.parse(cutOffAt) > now.getTime(),
    )
  }

  async #refresh(): Promise<void> {
    const at = performance.now()
    const isCurrent = this.#last !== undefined && this.#readAs === this.#changes
    if ((isCurrent && at - (this.#last?.at ?? 0) < MAX_AGE_MS) || at < this.#retryAt) return
    const as = this.#changes
    if (this.#reading?.as !== as) this.#reading = { as, done: this.#read(as) }
    await this.#reading.done
  }

  /** Never rejects: without an answer it stays as it was. */
  async #read(as: number): Promise<void> {
    try {
      const times = await whileAnswering(this.#database, nextTimes(this.#database.db), patience)
      if (as < this.#readAs) return // what is there is newer
      const { version: before = 0, at: _, ...last } = this.#last ?? {}
      const version = before + (isDeepStrictEqual(times, last) ? 0 : 1)
      this.#last = { ...times, version, at: performance.now() }
      this.#readAs = as
    } catch (error) {
      this.#failure = error
      this.#retryAt = performance.now() + RETRY_MS
    } finally {
      if (this.#reading?.as === as) this.#reading = undefined
    }
  }
}

async function nextTimes(db: Db): Promise<Times> {
  const ofKind = (kind: FulfilmentKind) => openSlots(db, { kind }, OF_A_KIND)
  const found = (await Promise.all(fulfilmentKinds.map(ofKind))).flat()
  const slots = found.map(({ kind, startsAt, endsAt, timeZone, cutOffAt, area }) => ({
    ...{ kind, startsAt, endsAt, timeZone, cutOffAt },
    postcodes: area?.length ?? null,
  }))
  const plan = await slotPlan({ db, now: () => new Date() })
  const areas = [...found, ...plan.rules].flatMap(({ area }) => area ?? [])
  return { slots, areas: [...new Set(areas)].sort(), plan }
}

export type SlotWriter = { db: Db; nextSlots: Pick<NextSlots, 'clear'> }

/** A change of what slots there are, of which `work` tells others: this process shows it in the next answer. */
export async function changeSlots<Made>(
  { db, nextSlots }: SlotWriter,
  work: (tx: Tx) => Promise<Made>,
): Promise<Made> {
  try {
    return await db.transaction(work)
  } finally {
    nextSlots.clear()
  }
}
