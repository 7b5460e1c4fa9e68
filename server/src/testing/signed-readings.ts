import assert from 'node:assert/strict'
import type { FieldReading } from '@befaqt/domain/box'
import type { DeviceLevel } from '@befaqt/domain/device'
import { Signer } from '@befaqt/provenance/signed/signer'
import type { Caller } from './caller.ts'
import { readingAt } from './readings.ts'

/** Registers a new device as its manager would. */
export async function enrolled(admin: Caller, level: DeviceLevel = 'sensor'): Promise<Signer> {
  const signer = new Signer()
  const publicKey = Buffer.from(signer.publicKey).toString('hex')
  const begun = await admin('POST', '/api/device', { name: `Test ${level}`, publicKey, level })
  assert.equal(begun.statusCode, 201, begun.body)
  const { id, message } = begun.json()
  assert.equal(id, signer.id)
  const signature = hexOf(signer.sign(Buffer.from(message, 'hex')))
  const done = await admin('POST', `/api/device/${id}/enrol`, { signature })
  assert.equal(done.statusCode, 201, done.body)
  return signer
}

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** `readingAt`, as a phone or gateway signs it. @param prev without it of the older form */
export function phoneReading(
  signer: Signer,
  counter: number,
  i: number,
  more: Partial<FieldReading> = {},
  prev?: string,
) {
  const { box, ...reading } = readingAt(i, more)
  const mark = signer.jcsMark(reading, { box, counter, prev })
  assert.ok(mark.form === 'jcs')
  return { ...reading, box, key: signer.id, counter, signature: mark.signature, ...(prev && { prev }) }
}

/** `readingAt` as a logger's message. @param prev without it of the older form */
export function loggerMessage(
  signer: Signer,
  counter: number,
  i: number,
  more: Partial<FieldReading> = {},
  prev?: string,
): Uint8Array {
  const { box, time, temperature, latitude, longitude } = readingAt(i, more)
  const reading = { timeS: Date.parse(time) / 1000, temperature, place: [latitude, longitude] as const }
  return signer.logger({ box, counter, battery: 80, readings: [reading], ...(prev && { prev }) })
}
