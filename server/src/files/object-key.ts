import { createHash, randomBytes } from 'node:crypto'

/** What bytes are called: the first half of their SHA-256, in hex. */
export const contentName = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 32)

/** Where a new object is stored: what it holds, and a part that no other object has, before or after it. */
export const newObjectKey = (bytes: Uint8Array, extension: string): string =>
  `${contentName(bytes)}.${randomBytes(8).toString('hex')}.${extension}`

const NAMED_BY_CONTENT = /^([0-9a-f]{32})\./

/**
 * Are these the bytes that were stored under `key`? Narrower copies that were made before objects had keys of their own
 * are not named by what they hold: of those only the size tells. Source: docs/decisions/0021.
 */
export function isSound(key: string, bytes: Uint8Array, size: number): boolean {
  const [, name] = NAMED_BY_CONTENT.exec(key) ?? []
  return bytes.length === size && (name === undefined || name === contentName(bytes))
}
