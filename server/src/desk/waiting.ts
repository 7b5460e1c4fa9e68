import type { Waiting } from '@befaqt/domain/api/today-api'
import { MAX_WAITING } from '@befaqt/domain/limits'
import type { Right } from '@befaqt/domain/rights'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'
import { hasRight, type Principal } from '#server/identity/principal.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'

/**
 * How much waits for staff: orders to pack, complaints without an answer, excursions that nobody closed, and emails that
 * were given up. Each is counted in an index that holds little else, and no further than is shown; of what the rights of
 * whoever asks don't open, nothing.
 */
export async function waiting(db: Db, principal: Principal): Promise<Waiting> {
  const [counted] = await rows<Waiting>(
    db,
    sql`select ${countOf(sql`from orders where status = 'PLACED'`)} as orders,
          ${countOf(sql`from complaints where (status = 'OPEN')`)} as complaints,
          ${countOf(sql`from excursions where closed_at is null and withdrawn_at is null`)} as excursions,
          ${countOf(sql`from jobs where failed_at is not null and queue = ${MAIL_QUEUE}`)} as emails`,
  )
  const seen = (right: Right, count = 0): number => (hasRight(principal, right) ? count : 0)
  return {
    orders: seen('order:read', counted?.orders),
    complaints: seen('order:read', counted?.complaints),
    excursions: seen('box:write', counted?.excursions),
    emails: seen('site:write', counted?.emails),
  }
}

const countOf = (what: SQL): SQL => sql`(select count(*)::int from (select 1 ${what} limit ${MAX_WAITING}) s)`
