import { ShopError } from '@befaqt/domain/errors'
import { type EntryTimes, type FieldTagReading, signedReading } from '@befaqt/domain/field-entry'
import { and, eq } from 'drizzle-orm'
import { devices } from '#server/db/schema/devices.ts'
import type { IncomingReading } from '#server/ingestion/incoming-reading.ts'
import { type Rejection, refusedFor } from '#server/ingestion/incoming-reading.ts'
import { readClaim, verifyClaims } from '#server/ingestion/signed-readings.ts'
import type { FieldDeps } from '../record-entry.ts'

/**
 * The reading of an entry with what its phone signed; undefined when there is no signature, or one over a time by a clock
 * that is known to be wrong: then the reading is recorded for the right time, as typed in.
 * @throws ShopError `input.invalid`: the key is no phone of this supplier, or did not sign this
 */
export async function verifyEntry(
  deps: FieldDeps,
  userId: string,
  entry: FieldTagReading,
  { isClockWrong }: EntryTimes,
): Promise<IncomingReading | undefined> {
  const { signed, box } = entry
  if (signed === undefined || isClockWrong) return undefined
  const [own] = await deps.db
    .select({ id: devices.id })
    .from(devices)
    .where(and(eq(devices.id, signed.key), eq(devices.supplierId, userId)))
  if (own === undefined)
    throw signatureRefused(refusedFor('key', 'No phone of yours with this key is registered.'))
  const clock = { now: deps.now(), timeZone: deps.siteFile.market.timeZone }
  const claim = readClaim({ box, ...signedReading(entry), ...signed }, undefined, clock)
  if ('refused' in claim) throw signatureRefused(claim)
  const [found] = await verifyClaims(deps.db, [{ ...claim, box }], clock)
  if (found === undefined || 'refused' in found) throw signatureRefused(found ?? { refused: [] })
  return found[0]
}

/** A refusal that is about the signature, at the paths of an entry: without it the entry could be recorded. */
export function signatureRefused({ refused }: Rejection): ShopError {
  const fields = refused.map(({ path, message }) => ({ path: `signed.${path}`, message }))
  return new ShopError('input.invalid', fields[0]?.message ?? 'The signature is not valid.', { fields })
}
