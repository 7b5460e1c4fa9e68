import type {
  ActivationAgain,
  ChangePassword,
  FirstAdmin,
  ForgotPassword,
  ProfileInput,
  ResetPassword,
  SignIn,
  SignUp,
} from '@befaqt/domain/account'
import type { ProfileView, SignInAnswer, TwoFaSetup } from '@befaqt/domain/api/account-api'
import { fetchJson } from '#web/api/fetch-json.ts'

type Method = 'POST' | 'PATCH' | 'DELETE'

function call<Answer>(method: Method, path: string, body?: unknown): Promise<Answer> {
  const json = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  return fetchJson(`/api/user${path}`, { method, ...(body !== undefined && json) })
}

type Done = { message: string }
type Codes = { recoveryCodes: string[] }
type BothFactors = { password: string; twoFaToken: string }

/** Calls that change something of an account. Failures are `ShopError`s. Source: spec §7. */
export const accountCalls = {
  signIn: (body: SignIn) => call<SignInAnswer>('POST', '/signIn', body),
  verifyTwoFa: (body: SignIn) => call<SignInAnswer>('POST', '/twoFa/verify', body),
  signUp: (body: SignUp) => call<Done>('POST', '/signUp', body),
  activate: (token: string) => call<{ email: string }>('POST', '/activate', { token }),
  activationAgain: (body: ActivationAgain) => call<Done>('POST', '/activate/again', body),
  firstAdmin: (body: FirstAdmin) => call<Done>('POST', '/firstAdmin', body),
  forgotPassword: (body: ForgotPassword) => call<Done>('PATCH', '/forgotpassword', body),
  resetPassword: (body: ResetPassword) => call<Done>('PATCH', '/resetpassword', body),
  updateProfile: (body: ProfileInput) => call<ProfileView>('PATCH', '', body),
  changePassword: (body: ChangePassword) => call<Done>('POST', '/password', body),
  endSession: (id: string) => call<Done>('DELETE', `/sessions/${encodeURIComponent(id)}`),
  endOtherSessions: () => call<Done>('DELETE', '/sessions'),
  beginTwoFa: (password: string) => call<TwoFaSetup>('POST', '/twoFa/setup', { password }),
  confirmTwoFa: (twoFaToken: string) => call<Codes>('POST', '/twoFa/confirm', { twoFaToken }),
  endTwoFa: (body: BothFactors) => call<Done>('POST', '/twoFa/off', body),
  renewCodes: (body: BothFactors) => call<Codes>('POST', '/twoFa/recoveryCodes', body),
  removePasskey: (id: string) => call<Done>('DELETE', `/passkeys/${encodeURIComponent(id)}`),
}
