import type { AccountApi } from '@befaqt/domain/api/account-api'
import type { Db } from '#server/db/client.ts'
import { type Principal, requireUser } from '#server/identity/principal.ts'
import { listPasskeys } from './passkeys/passkeys.ts'
import { readProfile } from './profile/profile.ts'
import { listSessions } from './sessions/sessions.ts'

/** What pages read of the principal's own account, called in process instead of over HTTP. */
export const accountApi = (deps: { db: Db; now: () => Date }, principal: Principal): AccountApi => ({
  profile: async () => readProfile(deps.db, requireUser(principal).userId),
  sessions: async () => {
    const { userId, sessionId } = requireUser(principal)
    return listSessions(deps.db, userId, sessionId, deps.now())
  },
  passkeys: async () => listPasskeys(deps.db, requireUser(principal).userId),
})
