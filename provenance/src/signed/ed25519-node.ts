import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { promisify } from 'node:util'

// As `ed25519.ts`, in Node's thread pool: a server verifies thousands in a second and answers visitors meanwhile.

const verifyInPool = promisify(verify)

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
  return verifyInPool(null, message, keyObject(key), signature)
}

function keyObject(key: Uint8Array): KeyObject {
  const x = Buffer.from(key).toString('base64url')
  const known = keys.get(x)
  if (known !== undefined) return known
  const made = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  keys.set(x, made)
  for (const oldest of keys.keys()) {
    if (keys.size <= MAX_KEYS) break
    keys.delete(oldest)
  }
  return made
}
