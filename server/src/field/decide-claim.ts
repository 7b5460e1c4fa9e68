import { ShopError } from '@befaqt/domain/errors'
import type { ClaimDecision } from '@befaqt/domain/supplier'
import { and, eq, isNotNull } from 'drizzle-orm'
import { z } from 'zod'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { lockBox } from '#server/boxes/box-access.ts'
import type { RecordingDeps } from '#server/boxes/records/add-records.ts'
import { addHandoverIn, custodyOf, holderIn, isHolder } from '#server/boxes/records/hand-over.ts'
import { changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import { fieldEntries } from '#server/db/schema/suppliers.ts'
import type { Principal } from '#server/identity/principal.ts'
import { claimStateOf } from './claims.ts'
import type { SupplierRow } from './suppliers.ts'
import { takeUpClaims } from './take-up-claims.ts'
import { decideCatch } from './waiting-catches.ts'

/** The place of the hand-over's or the catch's record; null for one that was refused. */
export const Decided = z.strictObject({ seq: z.int().nullable() })

/**
 * Confirms a hand-over that its receiver alone said: it is recorded, from whoever holds the box, and the readings that
 * waited with it. Or refuses it: what waited is left out. A catch that waits is a manager's to decide alone.
 * @param supplier who decides; null: a manager
 * @throws ShopError `not_found`, also for one that is not this supplier's to decide; `conflict` when it no longer waits;
 * `box.sealed`; `input.invalid` for a catch that is refused without a reason
 */
export async function decideClaim(
  deps: RecordingDeps,
  principal: Principal,
  id: string,
  decision: ClaimDecision,
  supplier: SupplierRow | null,
): Promise<z.infer<typeof Decided>> {
  const { seq } = await changeCatalogue(
    deps,
    async (tx) => {
      const isClaim = and(eq(fieldEntries.id, id), eq(fieldEntries.claim, id))
      const [found] = await tx.select().from(fieldEntries).where(isClaim)
      if (found === undefined || (found.kind === 'catch' && supplier !== null)) throw noSuchClaim()
      if (found.kind === 'catch') {
        const [row] = await tx.select().from(fieldEntries).where(isClaim).for('update')
        if (row === undefined || row.kept === null || !('catch' in row.kept)) throw isDecided()
        return decideCatch(tx, deps, principal, { row, kept: row.kept, ...decision })
      }
      const box = await lockBox(tx, found.boxId)
      const custody = await custodyOf(tx, box, deps.siteFile.market.timeZone)
      if (supplier !== null && !isHolder(custody, box, supplier)) throw noSuchClaim()
      const [claim] = await tx.select().from(fieldEntries).where(isClaim)
      if (claim === undefined) throw noSuchClaim()
      const { kept } = claim
      if (claimStateOf(claim, deps.now()) !== 'waiting' || kept === null || !('to' in kept)) throw isDecided()
      if (decision.confirmed)
        return addHandoverIn(tx, { ...deps, takeUpClaims }, principal, box.id, {
          ...kept,
          from: holderIn(custody),
        })
      await tx
        .update(fieldEntries)
        .set({ kept: null, waitsUntil: deps.now() })
        .where(and(eq(fieldEntries.claim, id), isNotNull(fieldEntries.kept)))
      await writeAuditEntry(tx, principal, 'box', box.id, { before: { claim: kept }, after: {} })
      return { seq: null, onCards: false }
    },
    ({ onCards }) => onCards,
  )
  return { seq }
}

const isDecided = (): ShopError =>
  new ShopError('conflict', 'This was decided already, or nobody decided in time.')

const noSuchClaim = (): ShopError =>
  new ShopError('not_found', 'Nothing of this kind waits for your confirmation.')
