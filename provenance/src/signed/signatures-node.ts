import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { promisify } from 'node:util'

// As `signatures.ts`, in Node's thread pool: a server verifies thousands in a second and answers visitors meanwhile.

const verifyInPool = (message: Uint8Array, key: KeyObject, signature: Uint8Array): Promise<boolean> =>
  promisify(verify)(null, message, key, signature)

/** Keys that are read once; the oldest go. */
const MAX_KEYS = 1_000
const keys = new Map<string, KeyObject>()

/** Did this key sign this message? Source: RFC 8032 §5.1.7. */
export async function verifyEd25519(
  key: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean | undefined> {
  if (key.length !== 32 || signature.length !== 64) return false
  return verifyInPool(message, keyObject(ED25519_SPKI, key), signature)
}

/** The same for ML-DSA-44, with an empty context; undefined before Node 24.7, which does not have it. Source: FIPS 204. */
export async function verifyMlDsa44(
  key: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean | undefined> {
  if (key.length !== 1312 || signature.length !== 2420) return false
  let readable: KeyObject
  try {
    readable = keyObject(ML_DSA_44_SPKI, key)
  } catch {
    return undefined
  }
  return verifyInPool(message, readable, signature)
}

/** What stands before the bytes of a key in its SubjectPublicKeyInfo. Source: RFC 8410 §4, RFC 9881 §4. */
const ED25519_SPKI = '302a300506032b6570032100'
const ML_DSA_44_SPKI = '30820532300b06096086480165030403110382052100'

function keyObject(spki: string, key: Uint8Array): KeyObject {
  const der = Buffer.concat([Buffer.from(spki, 'hex'), key])
  const name = der.toString('base64url')
  const known = keys.get(name)
  if (known !== undefined) return known
  const made = createPublicKey({ key: der, format: 'der', type: 'spki' })
  keys.set(name, made)
  for (const oldest of keys.keys()) {
    if (keys.size <= MAX_KEYS) break
    keys.delete(oldest)
  }
  return made
}
