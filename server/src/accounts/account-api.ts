import type { AccountApi } from '@befaqt/domain/api/account-api'
import type { Deps } from '#server/deps.ts'
import { type Asker, signedIn } from '#server/identity/principal.ts'
import { listPasskeys } from './passkeys/passkeys.ts'
import { readProfile } from './profile/profile.ts'
import { listSessions } from './sessions/sessions.ts'

/** What pages read of the asker's own account, without HTTP between. */
export const accountApi = (deps: Pick<Deps, 'db' | 'now'>, asker: Asker): AccountApi => ({
  profile: async () => readProfile(deps.db, signedIn(asker).userId),
  sessions: async () => {
    const { userId, sessionId } = signedIn(asker)
    return listSessions(deps.db, userId, sessionId, deps.now())
  },
  passkeys: async () => listPasskeys(deps.db, signedIn(asker).userId),
})
