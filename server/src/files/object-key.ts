import { createHash, randomBytes } from 'node:crypto'

/** The content hash that names bytes: the first half of their SHA-256, in hex. */
export const contentName = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 32)

/** The key of a new object: its content hash, and a random part that makes it unique for ever. */
export const newObjectKey = (bytes: Uint8Array, extension: string): string =>
  `${contentName(bytes)}.${randomBytes(8).toString('hex')}.${extension}`

const NAMED_BY_CONTENT = /^([0-9a-f]{32})\./

/**
 * Are these the bytes that were stored under `key`? Variants from before objects had keys of their own are not named by
 * their content: for those only the size is compared. Source: docs/decisions/0021.
 */
export function isIntact(key: string, bytes: Uint8Array, size: number): boolean {
  const [, name] = NAMED_BY_CONTENT.exec(key) ?? []
  return bytes.length === size && (name === undefined || name === contentName(bytes))
}
