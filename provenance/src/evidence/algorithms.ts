import { createHash, type KeyObject, verify } from 'node:crypto'
import { FormatError } from '../format-error.ts'
import { type DerParts, oidText, DerParts as Parts, tags } from './der.ts'

/*
 * Hashes and signatures of time stamps and their certificates, by their object identifiers. What is broken or rare is not
 * known: SHA-1, MD5, DSA, and RSA with PSS. Source: RFC 5754, RFC 8017 §C, RFC 8419.
 */

export type HashName = 'sha256' | 'sha384' | 'sha512'

export const SHA256 = '2.16.840.1.101.3.4.2.1'
const hashNames: ReadonlyMap<string, HashName> = new Map([
  [SHA256, 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
])

const ED25519 = '1.3.101.112'
/** By which key, and with which hash; null: with that which is named beside it. */
const signatures: ReadonlyMap<string, readonly [key: string, hash: HashName | null]> = new Map([
  ['1.2.840.113549.1.1.1', ['rsa', null]],
  ['1.2.840.113549.1.1.11', ['rsa', 'sha256']],
  ['1.2.840.113549.1.1.12', ['rsa', 'sha384']],
  ['1.2.840.113549.1.1.13', ['rsa', 'sha512']],
  ['1.2.840.10045.2.1', ['ec', null]],
  ['1.2.840.10045.4.3.2', ['ec', 'sha256']],
  ['1.2.840.10045.4.3.3', ['ec', 'sha384']],
  ['1.2.840.10045.4.3.4', ['ec', 'sha512']],
  [ED25519, ['ed25519', 'sha512']],
])

/** Hashes and RSA are written with an empty parameter or without it, these without it alone. Source: RFC 5754 §3.3, RFC 8419. */
const takesNoNothing = (oid: string): boolean => !['rsa', undefined].includes(signatures.get(oid)?.[0])

/** Shortest RSA key that counts, in bits. */
const MIN_RSA = 2048

/** The object identifier of an algorithm that takes no parameters. @throws FormatError */
export function algorithmIn(parts: DerParts, name: string, path: string): string {
  const inside = new Parts(parts.take(tags.sequence, name), `${path}.${name}`)
  const oid = oidText(inside.take(tags.oid, 'algorithm'), `${path}.${name}`)
  const nothing = inside.optional(tags.nothing)
  if (nothing?.content.length || (nothing !== undefined && takesNoNothing(oid)))
    throw new FormatError(path, 'has parameters')
  inside.end()
  return oid
}

/** @throws FormatError for a hash that is not known */
export function hashNameIn(parts: DerParts, name: string, path: string): HashName {
  const hash = hashNames.get(algorithmIn(parts, name, path))
  if (hash === undefined) throw new FormatError(`${path}.${name}`, 'is none of SHA-256, SHA-384 and SHA-512')
  return hash
}

export const hashBy = (name: HashName | 'sha1', bytes: Uint8Array): Uint8Array =>
  createHash(name).update(bytes).digest()

/** Is this a signature of a certificate that still counts? */
export const isStrongSignature = (oid: string): boolean =>
  oid === ED25519 || (signatures.get(oid)?.[1] ?? null) !== null

/** Has this key signed these bytes in this way? @throws FormatError for a way, or a key, that does not count */
export function isSignedBy(
  key: KeyObject,
  { algorithm, hash, signed, signature }: SignedBytes,
  path: string,
): boolean {
  const [kind, ownHash] = signatures.get(algorithm) ?? []
  if (kind === undefined) throw new FormatError(path, 'is a kind of signature that is not known')
  if (kind !== key.asymmetricKeyType) throw new FormatError(path, 'is of another kind than its key')
  if (ownHash != null && ownHash !== hash) throw new FormatError(path, 'names two hashes')
  if (kind === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) < MIN_RSA)
    throw new FormatError(path, `is by an RSA key of less than ${MIN_RSA} bits`)
  return verify(kind === 'ed25519' ? null : hash, signed, key, signature)
}

/** What is signed, by which algorithm, as its object identifier. */
interface SignedBytes {
  readonly algorithm: string
  readonly hash: HashName
  readonly signed: Uint8Array
  readonly signature: Uint8Array
}
