import { lt } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import {
  knownDevices,
  oneTimeTokens,
  rateLimits,
  sessions,
  webauthnChallenges,
} from '#server/db/schema/accounts.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { JobHandler } from '#server/jobs/run.ts'
import type { AccountDeps } from './account-deps.ts'
import { forgetDeleted } from './forget-deleted.ts'
import { SESSION_S } from './sessions/cookies.ts'

export const FORGET_QUEUE = 'account.forget-old'

const DAY_MS = 86_400_000
/** Used and expired links stay a week, so that who opens one late learns what is wrong with it. */
const LINKS_KEPT_MS = 7 * DAY_MS

/** Has what is over thrown away, once a day, by one of all processes. */
export const forgetDaily = (db: Db, when: Date): Promise<void> =>
  enqueue(db, FORGET_QUEUE, {}, { runAt: when, uniqueKey: when.toISOString().slice(0, 10) })

/** The job: throws away what has expired, and plans the next day's. */
export const forgetOldJob =
  ({ db, now }: Pick<AccountDeps, 'db' | 'now'>): JobHandler =>
  async () => {
    await forgetOld(db, now())
    await forgetDaily(db, new Date(now().getTime() + DAY_MS))
  }

/**
 * Deletes what no request can use any more: sessions, links, challenges, limits, browsers not seen for a year, and what
 * earlier versions kept of accounts that were deleted.
 */
export async function forgetOld(db: Db, now: Date): Promise<void> {
  const before = (ms: number): Date => new Date(now.getTime() - ms)
  await db.delete(sessions).where(lt(sessions.expiresAt, now))
  await db.delete(oneTimeTokens).where(lt(oneTimeTokens.expiresAt, before(LINKS_KEPT_MS)))
  await db.delete(webauthnChallenges).where(lt(webauthnChallenges.expiresAt, now))
  await db.delete(rateLimits).where(lt(rateLimits.windowEndsAt, now))
  await forgetDeleted(db)
  await db.delete(knownDevices).where(lt(knownDevices.lastUsedAt, before(SESSION_S * 1_000)))
}
