import { instantOf } from '@befaqt/domain/market-time'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { type BoxRow, custodyOf, heldAt } from '#server/boxes/index.ts'
import { rows, type Tx } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { deviceBoxes, devices } from '#server/db/schema/devices.ts'
import { suppliers } from '#server/db/schema/suppliers.ts'
import { inByteOrder } from '#server/db/search-and-order.ts'
import type { IncomingReading, StatementPlace } from './incoming-reading.ts'
import { type Rejection, refusedFor } from './incoming-reading.ts'

type Last = { counter: number; statement: string; place: number }

/** A reading that was signed. */
type SignedReading = IncomingReading & { statement: StatementPlace }
const isOfStatement = (reading: IncomingReading): reading is SignedReading => reading.statement !== undefined

const pairText = (deviceId: string, boxId: string): string => `${deviceId} ${boxId}`

/** A valid key, and the supplier whose phone it is; a phone whose supplier is no longer one has no name. */
type Known = { id: string; revokedAt: Date | null; supplierId: string | null; party: string | null }

/**
 * Which keys are valid, for which boxes, and how far each has counted about each box, until the transaction ends: their
 * rows are locked, so that a revocation waits for readings on their way, and none comes after it.
 */
export class DeviceCounters {
  readonly #valid: ReadonlyMap<string, boolean>
  readonly #foreign: ReadonlySet<IncomingReading>
  readonly #last: Map<string, Last>
  readonly #added = new Map<string, SignedReading>()

  private constructor(
    valid: ReadonlyMap<string, boolean>,
    foreign: ReadonlySet<IncomingReading>,
    last: Map<string, Last>,
  ) {
    this.#valid = valid
    this.#foreign = foreign
    this.#last = last
  }

  /**
   * Locks the keys of these readings.
   * @param held their boxes, which the caller has locked
   * @param timeZone of market times
   */
  static async lock(
    tx: Tx,
    readings: readonly IncomingReading[],
    held: ReadonlyMap<string, BoxRow>,
    timeZone: string,
  ): Promise<DeviceCounters> {
    const signed = readings.filter(isOfStatement)
    if (signed.length === 0) return new DeviceCounters(new Map(), new Set(), new Map())
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
      .where(inArray(devices.id, ids))
      .orderBy(inByteOrder(devices.id))
      .for('share')
    const pairs = signed.map(({ statement, box }) => ({ device: statement.key, box }))
    const last = await rows<Last & { device: string; box: string }>(
      tx,
      sql`select d.device_id as device, d.box_id as box, d.counter::float8 as counter, d.statement, d.place
          from ${deviceBoxes} d
          where (d.device_id, d.box_id) in (
            select p.device, p.box from json_to_recordset(${JSON.stringify(pairs)}::json) as p(device text, box text))`,
    )
    return new DeviceCounters(
      new Map(known.map(({ id, revokedAt }) => [id, revokedAt === null])),
      await foreignReadings(tx, signed, known, held, timeZone),
      new Map(last.map(({ device, box, ...known }) => [pairText(device, box), known])),
    )
  }

  /** Why a reading can't follow what its key signed before; undefined when it can, or is not signed. */
  rejectionOf(reading: IncomingReading): Rejection | undefined {
    if (!isOfStatement(reading)) return undefined
    const { key, counter, digest, place } = reading.statement
    const valid = this.#valid.get(key)
    if (valid === undefined) return refusedFor('key', 'No device with this key is registered.')
    if (!valid) return refusedFor('key', 'This key was revoked.')
    const pair = pairText(key, reading.box)
    if (this.#foreign.has(reading))
      return refusedFor(
        'box',
        'is somebody else’s: the supplier whose phone this is did not hold it at this time',
      )
    const last = this.#last.get(pair)
    if (last === undefined || counter > last.counter) return undefined
    if (counter === last.counter && digest === last.statement && place > last.place) return undefined
    return refusedFor('counter', `must be more than ${last.counter}, the last one of this key for this box`)
  }

  /** Goes on from a reading that was accepted. */
  add(reading: IncomingReading): void {
    if (!isOfStatement(reading)) return
    const { key, counter, digest, place } = reading.statement
    const pair = pairText(key, reading.box)
    this.#last.set(pair, { counter, statement: digest, place })
    this.#added.set(pair, reading)
  }

  /** Writes how far the keys have counted, and what managers see of them. */
  async save(tx: Tx, now: Date, timeZone: string): Promise<void> {
    if (this.#added.size === 0) return
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
          on conflict (device_id, box_id) do update set counter = excluded.counter,
            statement = excluded.statement, place = excluded.place, reading_at = excluded.reading_at,
            temperature = excluded.temperature, battery = excluded.battery,
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
