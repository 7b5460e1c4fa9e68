import type { z } from 'zod'
import type { NewPasskey, Reauthentication } from '../../account.ts'
import type { PasskeyView } from '../account-api.ts'
import { endpoint, types } from '../endpoint.ts'

/** What WebAuthn's `create()` takes. */
type Options = { challenge: string }

export const listPasskeys = endpoint('GET', '/api/user/passkeys', types<{ response: PasskeyView[] }>)
export const beginPasskey = endpoint(
  'POST',
  '/api/user/passkeys/options',
  types<{ body: Reauthentication; response: Options }>,
)
export const addPasskey = endpoint('POST', '/api/user/passkeys', types<{ body: z.input<typeof NewPasskey> }>)
export const removePasskey = endpoint('DELETE', '/api/user/passkeys/:id')
