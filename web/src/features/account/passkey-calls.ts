import type { SignInAnswer } from '@befaqt/domain/api/account-api'
import { ShopError } from '@befaqt/domain/errors'
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { fetchJson } from '#web/api/fetch-json.ts'

const post = <Answer>(path: string, body: unknown): Promise<Answer> =>
  fetchJson(`/api/user/passkeys${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })

/** What browsers throw when the person changed their mind or the device knows nothing, in words. */
function inWords(error: unknown): unknown {
  if (error instanceof ShopError) return error
  if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return new ShopError('conflict', 'This device has a passkey for this account already.', { cause: error })
  if (error instanceof Error && error.name === 'NotAllowedError')
    return new ShopError('signin.refused', 'No passkey was given.', { cause: error })
  return error
}

/** Asks the device for a passkey and signs in with it. @throws ShopError */
export async function signInWithPasskey(): Promise<SignInAnswer> {
  try {
    const optionsJSON = await post<PublicKeyCredentialRequestOptionsJSON>('/signIn/options', {})
    return await post('/signIn', { response: await startAuthentication({ optionsJSON }) })
  } catch (error) {
    throw inWords(error)
  }
}

/** Has the device make a passkey called `name`; takes the account's password. @throws ShopError */
export async function makePasskey(name: string, password: string): Promise<void> {
  try {
    const optionsJSON = await post<PublicKeyCredentialCreationOptionsJSON>('/options', { password })
    await post('', { name, response: await startRegistration({ optionsJSON }) })
  } catch (error) {
    throw inWords(error)
  }
}
