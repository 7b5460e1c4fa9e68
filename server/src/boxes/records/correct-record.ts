import { type CorrectableKind, type CorrectionInput, correctable } from '@befaqt/domain/box'
import { ShopError } from '@befaqt/domain/errors'
import { type Clock, marketTime, rejectFutureTimes } from '@befaqt/domain/market-time'
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { lockBox } from '#server/boxes/lock-box.ts'
import { changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import type { Tx } from '#server/db/client.ts'
import { records } from '#server/db/schema/boxes.ts'
import { toValidationError } from '#server/http/errors.ts'
import { fieldError } from '#server/http/field-error.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { addRecords, type RecordingDeps } from './add-records.ts'

/** Kinds of which freshness is computed. */
const assessed: readonly CorrectableKind[] = ['tracking', 'sensor-result', 'image-result', 'enose-result']

const isCorrectable = (kind: string): kind is CorrectableKind => Object.hasOwn(correctable, kind)

/**
 * Mends a record by a new one that names it; the old one stays. Answers the new one's place in the history.
 * @throws ShopError `box.not_found`, `box.sealed`, `input.invalid` with the path of every field that does not fit
 */
export async function correctRecord(
  deps: RecordingDeps,
  principal: Principal,
  boxID: string,
  { seq, reason, data }: CorrectionInput,
): Promise<number> {
  const { seq: made } = await changeCatalogue(
    deps,
    async (tx) => {
      await lockBox(tx, boxID)
      const { kind, said } = await recordAt(tx, boxID, seq)
      const { timeZone } = deps.siteFile.market
      const better = fitting(kind, data, { now: deps.now(), timeZone })
      const at = marketTime(deps.now().getTime(), timeZone)
      const correction = { corrects: seq, reason, data: better }
      const fact = { kind: 'correction' as const, at, by: actorId(principal), data: correction }
      const changesFreshness = assessed.includes(kind)
      const { appended, onCards } = await addRecords(tx, deps, boxID, [{ ...fact, changesFreshness }])
      const after = { record: seq, reason, data: better }
      await writeAuditEntry(tx, principal, 'box', boxID, { before: { data: said }, after })
      return { seq: appended[0]?.seq ?? 0, onCards }
    },
    ({ onCards }) => onCards,
    { boxes: [boxID] },
  )
  return made
}

const Kept = z.object({ data: z.unknown() })

/** The record to be corrected. A correction is mended by another correction of the same record. */
async function recordAt(
  tx: Tx,
  boxID: string,
  seq: number,
): Promise<{ kind: CorrectableKind; said: unknown }> {
  const [row] = await tx
    .select()
    .from(records)
    .where(and(eq(records.boxId, boxID), eq(records.seq, seq)))
  if (row === undefined) throw fieldError('seq', 'There is no such record.')
  if (row.body === null) throw fieldError('seq', 'This record was withheld.')
  const { kind } = row
  if (!isCorrectable(kind)) throw fieldError('seq', `A record of the kind ${kind} can’t be corrected.`)
  return { kind, said: Kept.parse(JSON.parse(row.body)).data }
}

/** The new payload as its kind has it. */
function fitting(kind: CorrectableKind, data: unknown, clock: Clock) {
  const parsed = rejectFutureTimes<z.ZodType<z.infer<(typeof correctable)[CorrectableKind]>>>(
    correctable[kind],
    clock,
  ).safeParse(data)
  if (parsed.success) return parsed.data
  const { fields } = toValidationError(parsed.error)
  const named = fields.map(({ path, message }) => ({ path: path === '' ? 'data' : `data.${path}`, message }))
  const words = named.map(({ path, message }) => `${path}: ${message}`).join('; ')
  throw new ShopError('input.invalid', words, { fields: named })
}
