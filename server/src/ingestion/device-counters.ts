import { type Clock, instantOf } from '@befaqt/domain/market-time'
import { and, eq, sql } from 'drizzle-orm'
import { type BoxRow, custodyOf, heldAt } from '#server/boxes/index.ts'
import { rows, type Tx } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { deviceBoxes, devices } from '#server/db/schema/devices.ts'
import { suppliers } from '#server/db/schema/suppliers.ts'
import { inByteOrder } from '#server/db/search-and-order.ts'
import { type IncomingReading, type Rejection, refusedFor } from './incoming-reading.ts'
import {
  counterText,
  isOfStatement,
  type KnownStatements,
  knownStatements,
  type Last,
  onwardText,
  pairText,
  type SignedReading,
} from './known-statements.ts'

/** How far below its highest counter a key may still say something, and how long after the reading in any case. */
const MAX_BEHIND = 1_000
const MAX_LATE_MS = 24 * 3_600_000

/** A valid key, and the supplier whose phone it is; a phone whose supplier is no longer one has no name. */
type Known = { id: string; revokedAt: Date | null; supplierId: string | null; party: string | null }

/**
 * Which keys are valid, for which boxes, how far each has counted about each box, and what is used of it, until the
 * transaction ends: their rows are locked, so that a revocation waits for readings on their way, and none comes after it.
 * Several processes may take the readings of one box, so a lower counter may come after a higher one: each is taken once.
 */
export class DeviceCounters {
  readonly #valid: ReadonlyMap<string, boolean>
  readonly #foreign: ReadonlySet<IncomingReading>
  readonly #last: Map<string, Last>
  readonly #known: KnownStatements
  readonly #added = new Map<string, SignedReading>()
  readonly #clock: Clock

  private constructor(
    valid: ReadonlyMap<string, boolean>,
    foreign: ReadonlySet<IncomingReading>,
    last: Map<string, Last>,
    known: KnownStatements,
    clock: Clock,
  ) {
    this.#valid = valid
    this.#foreign = foreign
    this.#last = last
    this.#known = known
    this.#clock = clock
  }

  /**
   * Locks the keys of these readings.
   * @param held their boxes, which the caller has locked
   * @param clock now, and the zone of market times
   */
  static async lock(
    tx: Tx,
    readings: readonly IncomingReading[],
    held: ReadonlyMap<string, BoxRow>,
    clock: Clock,
  ): Promise<DeviceCounters> {
    const signed = readings.filter(isOfStatement)
    if (signed.length === 0)
      return new DeviceCounters(
        new Map(),
        new Set(),
        new Map(),
        { used: new Map(), onward: new Map() },
        clock,
      )
    const ids = [...new Set(signed.map(({ statement }) => statement.key))]
    const known = await tx
      .select({
        id: devices.id,
        revokedAt: devices.revokedAt,
        supplierId: devices.supplierId,
        party: sql<string | null>`(${tx
          .select({ party: suppliers.party })
          .from(suppliers)
          .innerJoin(users, eq(users.id, suppliers.userId))
          .where(
            and(
              eq(suppliers.userId, devices.supplierId),
              eq(users.role, 'SUPPLIER'),
              eq(users.status, 'ACTIVE'),
            ),
          )})`,
      })
      .from(devices)
      .where(sql`${devices.id} = any(${sql.param(ids)}::text[])`)
      .orderBy(inByteOrder(devices.id))
      .for('share')
    const pairs = signed.map(({ statement, box }) => ({ device: statement.key, box }))
    const found = await rows<Last & { device: string; box: string }>(
      tx,
      sql`select d.device_id as device, d.box_id as box, d.counter::float8 as counter, d.statement
          from ${deviceBoxes} d
          where (d.device_id, d.box_id) in (
            select p.device, p.box from json_to_recordset(${JSON.stringify(pairs)}::json) as p(device text, box text))`,
    )
    const last = new Map(found.map(({ device, box, ...known }) => [pairText(device, box), known]))
    return new DeviceCounters(
      new Map(known.map(({ id, revokedAt }) => [id, revokedAt === null])),
      await foreignReadings(tx, signed, known, held, clock.timeZone),
      last,
      await knownStatements(tx, signed, last),
      clock,
    )
  }

  /** Why a reading can't stand beside what its key signed before; undefined when it can, or is not signed. */
  rejectionOf(reading: IncomingReading): Rejection | undefined {
    if (!isOfStatement(reading)) return undefined
    const { key, counter, digest, prev } = reading.statement
    const valid = this.#valid.get(key)
    if (valid === undefined) return refusedFor('key', 'No device with this key is registered.')
    if (!valid) return refusedFor('key', 'This key was revoked.')
    if (this.#foreign.has(reading))
      return refusedFor(
        'box',
        'is somebody else’s: the supplier whose phone this is did not hold it at this time',
      )
    const used = this.#known.used.get(counterText(key, reading.box, counter))
    if (used !== undefined && used !== digest)
      return refusedFor('counter', 'was used before: this key has signed something else with it for this box')
    const other = prev && this.#known.onward.get(onwardText(key, reading.box, prev))
    if (other !== undefined && other !== counter)
      return refusedFor(
        'prev',
        `was used before: this key has gone on from the same statement about this box with counter ${other}`,
      )
    const highest = this.#last.get(pairText(key, reading.box))?.counter ?? counter
    if (used !== undefined || counter >= highest - MAX_BEHIND || !this.#isOld(reading)) return undefined
    return refusedFor(
      'counter',
      `must be at least ${highest - MAX_BEHIND} for a reading of more than 24 hours ago: this key has counted to ${highest} for this box`,
    )
  }

  #isOld({ time }: IncomingReading): boolean {
    const { now, timeZone } = this.#clock
    return (instantOf(time, timeZone) ?? 0) < now.getTime() - MAX_LATE_MS
  }

  /** Goes on from a reading that was accepted. */
  add(reading: IncomingReading): void {
    if (!isOfStatement(reading)) return
    const { key, counter, digest, prev } = reading.statement
    const pair = pairText(key, reading.box)
    this.#known.used.set(counterText(key, reading.box, counter), digest)
    if (prev !== undefined) this.#known.onward.set(onwardText(key, reading.box, prev), counter)
    if (counter >= (this.#last.get(pair)?.counter ?? counter))
      this.#last.set(pair, { counter, statement: digest })
    if (counter >= (this.#added.get(pair)?.statement.counter ?? counter)) this.#added.set(pair, reading)
  }

  /** Writes how far the keys have counted, and what managers see of them: what came late is heard, and not the last. */
  async save(tx: Tx): Promise<void> {
    if (this.#added.size === 0) return
    const { now, timeZone } = this.#clock
    const values = [...this.#added.values()].map(({ box, time, temperature, statement }) => ({
      device: statement.key,
      box,
      counter: statement.counter,
      statement: statement.digest,
      place: statement.place,
      readingAt: new Date(instantOf(time, timeZone) ?? now.getTime()).toISOString(),
      temperature,
      battery: statement.battery,
    }))
    await rows(
      tx,
      sql`insert into device_boxes
            (device_id, box_id, counter, statement, place, reading_at, temperature, battery, heard_at)
          select v.device, v.box, v.counter, v.statement, v.place, v."readingAt", v.temperature, v.battery,
            ${now.toISOString()}::timestamptz
          from json_to_recordset(${JSON.stringify(values)}::json)
            as v(device text, box text, counter bigint, statement text, place int, "readingAt" timestamptz,
              temperature real, battery real)
          on conflict (device_id, box_id) do update set
            (counter, statement, place, reading_at, temperature, battery) = (
              select n.* from (values
                (excluded.counter, excluded.statement, excluded.place, excluded.reading_at,
                  excluded.temperature, excluded.battery),
                (device_boxes.counter, device_boxes.statement, device_boxes.place, device_boxes.reading_at,
                  device_boxes.temperature, device_boxes.battery)
              ) as n (counter, statement, place, reading_at, temperature, battery)
              order by n.counter desc, n.place desc limit 1),
            heard_before = device_boxes.heard_at, heard_at = excluded.heard_at`,
    )
  }
}

/** What suppliers' phones signed of boxes that these suppliers did not hold at the time. */
async function foreignReadings(
  tx: Tx,
  signed: readonly SignedReading[],
  known: readonly Known[],
  held: ReadonlyMap<string, BoxRow>,
  timeZone: string,
): Promise<ReadonlySet<IncomingReading>> {
  const phones = new Map(known.filter(({ supplierId }) => supplierId !== null).map((one) => [one.id, one]))
  const foreign = new Set<IncomingReading>()
  for (const [boxID, readings] of Map.groupBy(signed, ({ box }) => box)) {
    const box = held.get(boxID)
    const ofPhones = readings.filter(({ statement }) => phones.has(statement.key))
    if (box === undefined || ofPhones.length === 0) continue
    const custody = await custodyOf(tx, box, timeZone)
    for (const reading of ofPhones) {
      const { supplierId = null, party = null } = phones.get(reading.statement.key) ?? {}
      const isTheirs =
        supplierId !== null &&
        party !== null &&
        heldAt(custody, box, { userId: supplierId, party }, reading.time, timeZone)
      if (!isTheirs) foreign.add(reading)
    }
  }
  return foreign
}
