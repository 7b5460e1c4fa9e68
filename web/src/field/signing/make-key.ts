import { hexOf } from '@befaqt/provenance/digest'
import { keyIdOf } from '@befaqt/provenance/signed/device-register'
import { keepKey } from './phone-key.ts'

/** This browser can make no key that signs. */
export class CannotSign extends Error {
  override readonly name = 'CannotSign'
}

/**
 * Makes an account a key on this phone, to be registered by the link of this token. Its private half never leaves the
 * browser.
 * @throws CannotSign where there is no Ed25519, or no https
 */
export async function makeKey(userId: string, token: string): Promise<void> {
  const { publicKey, privateKey } = await newPair()
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))
  const key = { userId, id: keyIdOf(raw), publicKey: hexOf(raw), privateKey }
  await keepKey({ ...key, counter: 0, token, problem: null })
}

async function newPair(): Promise<CryptoKeyPair> {
  try {
    return await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])
  } catch (cause) {
    throw new CannotSign('This browser can’t sign: it has no Ed25519.', { cause })
  }
}
