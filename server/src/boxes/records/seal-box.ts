import { someLines } from '@befaqt/domain/box-values'
import { MAX_REASON } from '@befaqt/domain/limits'
import { marketTime } from '@befaqt/domain/market-time'
import { z } from 'zod'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { addRecords, type RecordingDeps } from './add-records.ts'

export const SealInput = z.strictObject({ reason: someLines(MAX_REASON).default('') }).prefault({})

/** Ends a box's history: nothing is added after. Answers the seal's place. @throws ShopError `box.not_found`, `box.sealed` */
export async function sealBox(
  deps: RecordingDeps,
  principal: Principal,
  boxID: string,
  reason: string,
): Promise<number> {
  const { seq } = await changeCatalogue(
    deps,
    async (tx) => {
      const at = marketTime(deps.now().getTime(), deps.siteFile.market.timeZone)
      const data = reason === '' ? {} : { reason }
      const fact = { kind: 'seal' as const, at, by: actorId(principal), data, changesFreshness: false }
      const { appended, onCards } = await addRecords(tx, deps, boxID, [fact])
      await writeAuditEntry(tx, principal, 'box', boxID, {
        before: { sealed: false },
        after: { sealed: true, reason },
      })
      return { seq: appended[0]?.seq ?? 0, onCards }
    },
    ({ onCards }) => onCards,
    { boxes: [boxID] },
  )
  return seq
}
