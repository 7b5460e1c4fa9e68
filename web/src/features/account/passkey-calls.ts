import type { SignInAnswer } from '@befaqt/domain/api/account-api'
import type { InputOf } from '@befaqt/domain/api/endpoint'
import { addPasskey, beginPasskey } from '@befaqt/domain/api/endpoints/account'
import { beginPasskeySignIn, signInWithPasskey as passkeySignIn } from '@befaqt/domain/api/endpoints/sign-in'
import { ShopError } from '@befaqt/domain/errors'
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { callApi } from '#web/api/call-api.ts'

/** The shop asks for no extensions of WebAuthn and takes no results of any. */
const noExtensions = { clientExtensionResults: {} }

/** What browsers throw when the person changed their mind or the device knows nothing, in words. */
function inWords(error: unknown): unknown {
  if (error instanceof ShopError) return error
  if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return new ShopError('conflict', 'This device has a passkey for this account already.', { cause: error })
  if (error instanceof Error && error.name === 'NotAllowedError')
    return new ShopError('signin.refused', 'No passkey was chosen.', { cause: error })
  return error
}

/** Asks the device for a passkey that fits what the shop asks for. @throws ShopError */
export async function askPasskey(begin: () => Promise<{ challenge: string }>) {
  try {
    const optionsJSON = (await begin()) as PublicKeyCredentialRequestOptionsJSON
    return { ...(await startAuthentication({ optionsJSON })), ...noExtensions }
  } catch (error) {
    throw inWords(error)
  }
}

/** Asks the device for a passkey and signs in with it. @throws ShopError */
export const signInWithPasskey = async (): Promise<SignInAnswer> =>
  callApi(passkeySignIn, { body: { response: await askPasskey(() => callApi(beginPasskeySignIn)) } })

/** Has the device make a passkey called `name`; takes the account's password. @throws ShopError */
export async function makePasskey(name: string, password: string): Promise<void> {
  try {
    const options = await callApi(beginPasskey, { body: { password } })
    const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
    const made = await startRegistration({ optionsJSON })
    const response = { ...made, ...noExtensions } as InputOf<typeof addPasskey>['body']['response'] // its types of transports are wider
    await callApi(addPasskey, { body: { name, response } })
  } catch (error) {
    throw inWords(error)
  }
}
