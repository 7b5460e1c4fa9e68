import type { z } from 'zod'
import type {
  Confirmation,
  EmailChangeReply,
  NewEmail,
  NewPasskey,
  ProfileInput,
  Reauthentication,
} from '../../account.ts'
import type {
  EmailChangeAnswer,
  EmailChangeView,
  PasskeyView,
  ProfileView,
  SessionView,
} from '../account-api.ts'
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
export const changeEmail = endpoint(
  'POST',
  '/api/user/email',
  types<{ body: NewEmail; response: EmailChangeView }>,
)
export const dropEmailChange = endpoint('DELETE', '/api/user/email')
export const answerEmailChange = endpoint(
  'POST',
  '/api/user/email/answer',
  types<{ body: EmailChangeReply; response: EmailChangeAnswer }>,
)

export const copyPersonalData = endpoint(
  'GET',
  '/api/user/data',
  types<{ response: Record<string, unknown> }>,
)
export const eraseAccount = endpoint('POST', '/api/user/erasure')

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
