import type { z } from 'zod'
import type {
  Activate,
  ActivationAgain,
  BothFactors,
  ChangePassword,
  ConfirmTwoFa,
  FirstAdmin,
  ForgotPassword,
  PasskeySignIn,
  Reauthentication,
  ResetPassword,
  SignIn,
  SignUp,
  VerifyTwoFa,
} from '../../account.ts'
import type { SignInAnswer, TwoFaSetup } from '../account-api.ts'
import { endpoint, types } from '../endpoint.ts'

/* Signing in and what it takes: two factors, signing up, passwords. */

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

type RecoveryCodes = { recoveryCodes: string[] }

export const beginTwoFa = endpoint(
  'POST',
  '/api/user/twoFa/setup',
  types<{ body: Reauthentication; response: TwoFaSetup }>,
)
export const confirmTwoFa = endpoint(
  'POST',
  '/api/user/twoFa/confirm',
  types<{ body: ConfirmTwoFa; response: RecoveryCodes }>,
)
export const endTwoFa = endpoint('POST', '/api/user/twoFa/off', types<{ body: BothFactors }>)
export const renewRecoveryCodes = endpoint(
  'POST',
  '/api/user/twoFa/recoveryCodes',
  types<{ body: BothFactors; response: RecoveryCodes }>,
)

export const signUp = endpoint('POST', '/api/user/signUp', types<{ body: SignUp }>)
export const activate = endpoint(
  'POST',
  '/api/user/activate',
  types<{ body: Activate; response: { email: string } }>,
)
export const sendActivationAgain = endpoint(
  'POST',
  '/api/user/activate/again',
  types<{ body: ActivationAgain; response: { message: string } }>,
)
export const setUpFirstAdmin = endpoint('POST', '/api/user/firstAdmin', types<{ body: FirstAdmin }>)

export const changePassword = endpoint('POST', '/api/user/password', types<{ body: ChangePassword }>)
export const forgotPassword = endpoint('PATCH', '/api/user/forgotpassword', types<{ body: ForgotPassword }>)
export const resetPassword = endpoint('PATCH', '/api/user/resetpassword', types<{ body: ResetPassword }>)
