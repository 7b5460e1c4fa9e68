import { hashOf, hexOf, utf8 } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import { blockTimeSeconds, type Fields, fields, matching, text } from '../validate.ts'

/** Who holds the key that signs: the sensor itself, or a gateway between it and the shop. */
export const signingLevels = ['sensor', 'gateway'] as const
export type SigningLevel = (typeof signingLevels)[number]

/** What a `device` record says of a key: the whole entry, as it is from this record on. */
export interface RegisterEntry {
  /** `keyIdOf` the key. */
  readonly id: string
  /** Ed25519 public key, 32 bytes in hex. */
  readonly key: string
  readonly level: SigningLevel
  readonly name: string
  /** Readings of an earlier time are not taken, `2026-11-21T01:02:03Z`. */
  readonly validFrom: string
  /** From when on nothing is taken; null while it is valid. */
  readonly revokedAt: string | null
}

/** Longest name of a device, in UTF-16 units. */
export const MAX_DEVICE_NAME = 80

/** The id of a key: the first 16 bytes of its SHA-256, in hex. */
export const keyIdOf = (key: Uint8Array): string => hexOf(hashOf(key)).slice(0, 32)

/** Where the register records the state of a key: a box of its own, so that it is anchored like any other. */
export const registerBoxOf = (keyId: string): string => `device:${keyId}`

/** What a device signs to show that it holds the key: `befaqt/1/enrol\n` ‖ nonce ‖ device id. Source: standards.md. */
export const enrolMessage = (nonce: Uint8Array, keyId: string): Uint8Array => {
  const parts = [utf8('befaqt/1/enrol\n'), nonce, utf8(keyId)]
  const message = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    message.set(part, at)
    at += part.length
  }
  return message
}

/** An entry with exactly these fields, whose id is that of its key. @throws FormatError with the path of what is wrong */
export function parseRegisterEntry(value: unknown, path = '$'): RegisterEntry {
  const from = fields(value, path, ['id', 'key', 'level', 'name', 'validFrom', 'revokedAt'])
  const level = signingLevels.find((known) => known === from.of.level)
  if (level === undefined)
    throw new FormatError(`${path}.level`, `must be one of ${signingLevels.join(', ')}`)
  return {
    id: matching(from, 'id', /^[0-9a-f]{32}$/, '32 lower-case hex characters'),
    key: matching(from, 'key', /^[0-9a-f]{64}$/, '64 lower-case hex characters'),
    level,
    name: text(from, 'name', [1, MAX_DEVICE_NAME]),
    validFrom: timeIn(from, 'validFrom'),
    revokedAt: from.of.revokedAt === null ? null : timeIn(from, 'revokedAt'),
  }
}

function timeIn(from: Fields, name: string): string {
  const time = text(from, name, [20, 20])
  if (blockTimeSeconds(time) === undefined)
    throw new FormatError(`${from.path}.${name}`, 'must be a time in UTC like 2026-11-21T01:02:03Z')
  return time
}
