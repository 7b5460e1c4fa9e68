import type { TrackerReading, TrackerSource } from '@befaqt/domain/tracker'
import { and, count, desc, eq, lte } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { trackerAssignments, trackers } from '#server/db/schema/trackers.ts'
import { BOX_NOT_ALLOWED, canAccessBox, type Principal } from '#server/identity/principal.ts'
import {
  type BatchAnswer,
  ingestReadings,
  type Outcome,
  refusedFor,
  type StoringDeps,
} from '#server/ingestion/index.ts'

/** Trackers that are kept: a key that makes ids up must not fill the database. */
const MAX_TRACKERS = 10_000

const UNASSIGNED = refusedFor(
  '',
  'This device travelled with no box at that time. A manager says with which one, on /manage/tracker.',
)

/**
 * Stores a reading of another service's device in the box that the device travelled with when it measured, and records
 * what was last heard of it; one that is new, or travels with no box, is refused and stays in sight of managers.
 * Answers as POST /api/tracking does.
 * @throws any error when it could not be stored: it may be sent again
 */
export async function ingestTrackerReading(
  deps: StoringDeps,
  principal: Principal,
  source: TrackerSource,
  reading: TrackerReading,
): Promise<BatchAnswer> {
  const { deviceId, name, battery, time, ...place } = reading
  const id = `${source}:${deviceId}`
  const box = await boxAt(deps.db, id, new Date(time))
  const outcome = box === undefined ? UNASSIGNED : await store(box)
  await saveLastHeard(deps, { id, source, deviceId, name, battery }, { box, outcome, reading })
  return answerOf(outcome)

  async function store(box: string): Promise<Outcome> {
    const accessError = (boxID: string) => (canAccessBox(principal, boxID) ? undefined : BOX_NOT_ALLOWED)
    const sent = principal.kind === 'key' ? 'key' : undefined
    const input = { box, iotID: deviceId, time, ...place }
    const [[outcome] = []] = await ingestReadings(deps, [{ input, accessError, sent }])
    if (outcome === undefined || outcome instanceof Error) throw outcome ?? new Error('no outcome')
    return outcome
  }
}

/** With which box a tracker travels at a time. */
async function boxAt(db: Db, id: string, time: Date): Promise<string | undefined> {
  const { trackerId, from, boxId } = trackerAssignments
  const [at] = await db
    .select({ boxId })
    .from(trackerAssignments)
    .where(and(eq(trackerId, id), lte(from, time)))
    .orderBy(desc(from))
    .limit(1)
  return at?.boxId ?? undefined
}

type Identity = Pick<typeof trackers.$inferInsert, 'id' | 'source' | 'deviceId' | 'name' | 'battery'>
type Ingested = { box: string | undefined; outcome: Outcome; reading: TrackerReading }

/** Stores when a tracker was heard, what it said last, and why that was refused. */
async function saveLastHeard(
  { db, now }: StoringDeps,
  { battery, ...identity }: Identity,
  { box, outcome, reading }: Ingested,
): Promise<void> {
  const heardAt = now()
  const refusal = typeof outcome === 'string' ? null : sentenceOf(outcome)
  const told = battery == null ? {} : { battery }
  const readingAt = new Date(reading.time)
  await db.transaction(async (tx) => {
    const [known] = await tx.select().from(trackers).where(eq(trackers.id, identity.id)).for('update')
    if (known === undefined) {
      const [all] = await tx.select({ total: count() }).from(trackers)
      if ((all?.total ?? 0) >= MAX_TRACKERS) return
    }
    const isNewest = outcome === 'accepted' && readingAt >= (known?.readingAt ?? new Date(0))
    const last = isNewest ? { lastBox: box ?? null, readingAt, temperature: reading.temperature } : {}
    const set = { name: identity.name, heardAt, refusal, ...told, ...last }
    await tx
      .insert(trackers)
      .values({ ...identity, ...set })
      .onConflictDoUpdate({ target: trackers.id, set })
  })
}

/** Characters that are stored of a rejection. */
const MAX_REFUSAL = 300

const sentenceOf = ({ refused }: Exclude<Outcome, string>): string =>
  refused
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    .join('; ')
    .slice(0, MAX_REFUSAL)

/** The answer to one reading. */
export const answerOf = (outcome: Outcome): BatchAnswer => ({
  accepted: outcome === 'accepted' ? 1 : 0,
  duplicates: outcome === 'duplicate' ? 1 : 0,
  refused: typeof outcome === 'string' ? [] : outcome.refused.map((fault) => ({ index: 0, ...fault })),
})
