import { FieldReading } from '@befaqt/domain/box-input'
import { type Clock, rejectFutureTimes } from '@befaqt/domain/future-times'
import { latenessIn } from '@befaqt/provenance/lateness'
import { verifyEd25519 } from '@befaqt/provenance/signed/ed25519-node'
import { inArray } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { devices } from '#server/db/schema/devices.ts'
import type { IncomingReading } from './incoming-reading.ts'
import { fieldErrors, type Rejection, refusedFor } from './outcome.ts'
import type { Claim } from './signed-submissions.ts'

type Device = Pick<typeof devices.$inferSelect, 'id' | 'publicKey' | 'level' | 'validFrom'>

/** A claim, and the box that its transport names, if it does. */
export type BroughtClaim = Claim & { box: string | undefined }

/**
 * Verifies signatures in Node's thread pool, all at once, with the keys of the register. Returns for each the readings
 * of its statement, or why it is rejected. The transaction checks later whether its key was revoked and its counter has
 * grown.
 */
export async function verifyClaims(
  db: Db,
  claims: readonly BroughtClaim[],
  clock: Clock,
): Promise<(IncomingReading[] | Rejection)[]> {
  const ids = [...new Set(claims.map(({ statement }) => statement.key))]
  const { id, publicKey, level, validFrom } = devices
  const found =
    ids.length === 0
      ? []
      : await db.select({ id, publicKey, level, validFrom }).from(devices).where(inArray(id, ids))
  const known = new Map(found.map((device) => [device.id, device]))
  const check = checker(clock)
  return Promise.all(claims.map((claim) => check(claim, known.get(claim.statement.key))))
}

function checker(clock: Clock) {
  const schema = rejectFutureTimes(FieldReading, clock)
  const secondsAfter = latenessIn(clock.timeZone)
  return async (claim: BroughtClaim, device: Device | undefined): Promise<IncomingReading[] | Rejection> => {
    const { statement, digest, markAt, box } = claim
    const { key, counter, battery, message, signature } = statement
    if (device === undefined) return refusedFor('key', 'No device with this key is registered.')
    if (!(await verifyEd25519(Buffer.from(device.publicKey, 'hex'), message, signature)))
      return refusedFor('signature', 'is not the signature of this key over this reading')
    if (box !== undefined && box !== statement.box)
      return refusedFor('box', `The signed box is ${statement.box}, not the one that it was sent for.`)
    const readings: IncomingReading[] = []
    for (const [place, reading] of statement.readings.entries()) {
      const parsed = schema.safeParse({ ...reading, box: statement.box })
      if (!parsed.success) return { refused: fieldErrors(parsed.error) }
      const early = secondsAfter(reading.time, device.validFrom.getTime() / 1000) ?? 0
      if (early > 0) return refusedFor('time', 'is before the key became valid')
      const signed = markAt(place, device.level)
      readings.push({ ...parsed.data, signed, statement: { key, counter, digest, place, battery } })
    }
    return readings
  }
}
