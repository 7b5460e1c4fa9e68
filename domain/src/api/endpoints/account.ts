import type { z } from 'zod'
import type { Confirmation, NewPasskey, ProfileInput, Reauthentication } from '../../account.ts'
import type { EmailChangeView, PasskeyView, ProfileView, SessionView } from '../account-api.ts'
import { endpoint, types } from '../endpoint.ts'

/* Whoever is signed in: profile, sessions, passkeys. */

/** What WebAuthn's `create()` and `get()` take. */
type Challenge = { challenge: string }

export const readProfile = endpoint('GET', '/api/user', types<{ response: ProfileView }>)
export const updateProfile = endpoint(
  'PATCH',
  '/api/user',
  types<{ body: ProfileInput; response: ProfileView }>,
)

export const readEmailChange = endpoint('GET', '/api/user/email', types<{ response: EmailChangeView | null }>)
export const listSessions = endpoint('GET', '/api/user/sessions', types<{ response: SessionView[] }>)
export const endOtherSessions = endpoint('DELETE', '/api/user/sessions')
export const endSession = endpoint('DELETE', '/api/user/sessions/:id')
export const beginConfirmation = endpoint(
  'POST',
  '/api/user/confirmation/options',
  types<{ response: Challenge }>,
)
export const confirmIdentity = endpoint('POST', '/api/user/confirmation', types<{ body: Confirmation }>)
export const signOut = endpoint('POST', '/api/user/signOut')

export const listPasskeys = endpoint('GET', '/api/user/passkeys', types<{ response: PasskeyView[] }>)
export const beginPasskey = endpoint(
  'POST',
  '/api/user/passkeys/options',
  types<{ body: Reauthentication; response: Challenge }>,
)
export const addPasskey = endpoint('POST', '/api/user/passkeys', types<{ body: z.input<typeof NewPasskey> }>)
export const removePasskey = endpoint('DELETE', '/api/user/passkeys/:id')
