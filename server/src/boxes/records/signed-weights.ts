import { CLOCK_AHEAD_MS, type Clock, instantOf } from '@befaqt/domain/market-time'
import type { BoxRecord, JsonObject } from '@befaqt/provenance'
import { FormatError } from '@befaqt/provenance'
import { readCoseWeighing, type Weighing } from '@befaqt/provenance/signed/cose-weighing'
import { verifyEd25519 } from '@befaqt/provenance/signed/signatures-node'
import { FIRST } from '@befaqt/provenance/signed/statement'
import { weighedData, weighingIn } from '@befaqt/provenance/signed/weighed-data'
import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { devices } from '#server/db/schema/devices.ts'
import { fieldError } from '#server/http/field-error.ts'

/** A weight as it is recorded. */
export type WeightFact = { of: 'catch' | 'box'; grams: number; at: string; data: JsonObject }

/** A weight that a scale signed, read and not yet compared with a key. */
export type SignedWeight = WeightFact & { weighing: Weighing }

/**
 * What a scale signed about a box.
 * @param cose COSE_Sign1, in hex
 * @throws ShopError `input.invalid` with the place of what is wrong in it, for another box, and for a time to come
 */
export function readSignedWeight(boxID: string, cose: string, { now, timeZone }: Clock): SignedWeight {
  const weighing = readWeighing(cose)
  const { box, of, grams, time } = weighing
  if (box !== boxID) throw fieldError('box', `The signed box is ${box}, not the one that it was sent for.`)
  if ((instantOf(time, timeZone) ?? 0) > now.getTime() + CLOCK_AHEAD_MS)
    throw fieldError('time', 'must not be in the future')
  return { weighing, of, grams, at: time, data: weighedData(weighing, cose) }
}

function readWeighing(cose: string): Weighing {
  try {
    return readCoseWeighing(Buffer.from(cose, 'hex'))
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause
    throw fieldError(cause.path.replace(/^\$\.?/, '') || 'cose', cause.reason)
  }
}

/** The record that holds this very statement, if there is one. */
export const recordedAs = (
  before: readonly BoxRecord[],
  { weighing: { hash } }: SignedWeight,
): BoxRecord | undefined => weighingsIn(before).find((one) => one.weighing.hash === hash)?.record

/**
 * Refuses what a verifier would refuse, and what comes out of order: the newest record of a weight counts, so that a
 * statement from before it would take its place. The key's row is locked, so that a revocation waits for this.
 * @param before the records of the box, which is locked
 * @throws ShopError `input.invalid` for `key`, `signature`, `time`, `counter` or `prev`
 */
export async function assertVouchedFor(
  tx: Tx,
  before: readonly BoxRecord[],
  { weighing }: SignedWeight,
): Promise<void> {
  const { key, message, signature, time } = weighing
  const [device] = await tx.select().from(devices).where(eq(devices.id, key)).for('share')
  if (device === undefined) throw fieldError('key', 'No device with this key is registered.')
  if (device.revokedAt !== null) throw fieldError('key', 'This key was revoked.')
  if (device.level !== 'sensor')
    throw fieldError('key', 'is that of a phone or gateway: a weight counts as signed by the scale itself')
  if (!(await verifyEd25519(Buffer.from(device.publicKey, 'hex'), message, signature)))
    throw fieldError('signature', 'is not the signature of this key over this weight')
  if (new Date(time) < device.validFrom) throw fieldError('time', 'is before the key became valid')
  assertInOrder(
    weighingsIn(before).map((one) => one.weighing),
    weighing,
  )
}

function assertInOrder(before: readonly Weighing[], { key, counter, prev, of, time }: Weighing): void {
  const own = before.filter((one) => one.key === key)
  const highest = Math.max(-1, ...own.map((one) => one.counter))
  if (own.some((one) => one.counter === counter))
    throw fieldError(
      'counter',
      'was used before: this scale has signed another weight with it about this box',
    )
  if (counter < highest)
    throw fieldError(
      'counter',
      `is below ${highest}, with which this scale signed a later weight of this box: weigh it again`,
    )
  const other = prev === FIRST ? undefined : own.find((one) => one.prev === prev)
  if (other !== undefined)
    throw fieldError(
      'prev',
      `was used before: this scale has gone on from the same statement about this box with counter ${other.counter}`,
    )
  const later = before.find((one) => one.of === of && new Date(one.time) > new Date(time))
  if (later !== undefined)
    throw fieldError('time', `is before ${later.time}, when a scale weighed this later: weigh it again`)
}

/** The weights among these records that scales signed; what was damaged in storage is none. */
function weighingsIn(records: readonly BoxRecord[]): { record: BoxRecord; weighing: Weighing }[] {
  return records.flatMap((record) => {
    if (record.kind !== 'weight' || !Object.hasOwn(record.data, 'weighed')) return []
    try {
      return [{ record, weighing: weighingIn(record.data) }]
    } catch (cause) {
      if (!(cause instanceof FormatError)) throw cause
      return []
    }
  })
}
