import { beginPhoneEnrolment, completePhoneEnrolment } from '@befaqt/domain/api/endpoints/suppliers'
import type { FieldUser } from '@befaqt/domain/api/field-api'
import { ShopError } from '@befaqt/domain/errors'
import { type FieldTagReading, secondText, signedReading } from '@befaqt/domain/field-entry'
import { hashOf, hexOf, unhexed, utf8 } from '@befaqt/provenance/digest'
import { enrolMessage } from '@befaqt/provenance/signed/device-register'
import { jcsStatementText } from '@befaqt/provenance/signed/statement'
import { callApi } from '#web/api/call-api.ts'
import type { Draft } from '../database.ts'
import { keepStatement, nextPlace, noteAnswer, noteRejection, type PhoneKey, readKey } from './phone-key.ts'
import { signingOf } from './signing.ts'

/** Answers of the shop that the same link and key get again. */
const FINAL: readonly string[] = ['token.invalid', 'conflict', 'input.invalid']

/**
 * Registers the account's key where that waits: the phone signs the shop's nonce, in a message that it makes itself. An
 * answer that was lost is no loss: the next look at the account's phones shows the key.
 * @returns whether something changed at the shop
 */
export async function enrolWaiting(user: FieldUser): Promise<boolean> {
  const key = await readKey(user.userId)
  if (key === undefined || signingOf(key, user).state !== 'enrolling') return false
  const { id, publicKey, token } = key
  try {
    const { nonce } = await callApi(beginPhoneEnrolment, { body: { token, publicKey } })
    const signature = await signatureOf(key, enrolMessage(unhexed(nonce), id))
    await callApi(completePhoneEnrolment, { params: { id }, body: { signature } })
    return true
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    if (FINAL.includes(error.code)) await noteRejection(key, error.message)
    return false
  }
}

/**
 * What this phone signs of an entry that is being sent, or signed of it before; undefined where it does not: no valid key,
 * no reading, or one of a time before the key was valid. Each goes on from the one before about its box.
 */
export async function signEntry(entry: Draft, user: FieldUser): Promise<FieldTagReading['signed']> {
  if (entry.kind !== 'reading') return undefined
  const key = await readKey(user.userId)
  const signing = signingOf(key, user)
  if (key === undefined || signing.state !== 'signs') return undefined
  const since = secondText(Date.parse(signing.phone.validFrom))
  if (signedReading(entry).time < since) return undefined
  const textWith = (place: { counter: number; prev: string }): string =>
    jcsStatementText(signedReading(entry), { key: key.id, box: entry.box, ...place })
  const before = key.unanswered?.[entry.id]
  if (before !== undefined) {
    const { counter, prev } = before.signed
    if (textWith({ counter, prev }) === before.text) return before.signed
    await noteAnswer(key, entry.id, 'dropped') // it was mended since
  }
  const place = await nextPlace(key, entry.box)
  if (place === undefined) return undefined
  const text = textWith(place)
  const message = utf8(text)
  const signed = { key: key.id, ...place, signature: await signatureOf(key, message) }
  await keepStatement(key, entry.id, { box: entry.box, text, hash: hexOf(hashOf(message)), signed })
  return signed
}

/** Notes what the shop made of what was signed of an entry, as `noteAnswer` says. */
export async function noteSignedAnswer(
  entryId: string,
  { userId }: FieldUser,
  became: Parameters<typeof noteAnswer>[2],
): Promise<void> {
  const key = await readKey(userId)
  if (key !== undefined) await noteAnswer(key, entryId, became)
}

async function signatureOf({ privateKey }: PhoneKey, message: Uint8Array): Promise<string> {
  return hexOf(new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, new Uint8Array(message))))
}
