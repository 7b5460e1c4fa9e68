import type { z } from 'zod'
import type { PasskeySignIn, SignIn, VerifyTwoFa } from '../../account.ts'
import type { SignInAnswer } from '../account-api.ts'
import { endpoint, types } from '../endpoint.ts'

/** What WebAuthn's `get()` takes. */
type Options = { challenge: string }

export const signIn = endpoint('POST', '/api/user/signIn', types<{ body: SignIn; response: SignInAnswer }>)
export const verifyTwoFa = endpoint(
  'POST',
  '/api/user/twoFa/verify',
  types<{ body: VerifyTwoFa; response: SignInAnswer }>,
)
export const beginPasskeySignIn = endpoint(
  'POST',
  '/api/user/passkeys/signIn/options',
  types<{ response: Options }>,
)
export const signInWithPasskey = endpoint(
  'POST',
  '/api/user/passkeys/signIn',
  types<{ body: z.input<typeof PasskeySignIn>; response: SignInAnswer }>,
)
