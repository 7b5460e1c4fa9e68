import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** What the server's own key is for: keeping small secrets in the database that a stolen copy of it can't read. */
export type Secrets = {
  /** Encrypts `text`. `context` says what and whose it is; it must be given again to open. */
  seal(text: string, context: string): string
  /** @throws Error when it was changed, sealed with another key, or for another context */
  open(sealed: string, context: string): string
  /** Keyed fingerprint of `text`, hex: for secrets too short to be kept under a plain hash. */
  fingerprint(text: string, context: string): string
}

export const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v1'

const subkey = (key: Uint8Array, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, new Uint8Array(), `befaqt ${use}`, KEY_BYTES))

/**
 * Secrets under one key of 32 bytes: AES-256-GCM (NIST SP 800-38D) with a random nonce and the context as
 * additional data; HMAC-SHA-256 for fingerprints. Each use has its own key, derived by HKDF (RFC 5869).
 */
export function secretsOf(key: Uint8Array): Secrets {
  if (key.length !== KEY_BYTES)
    throw new Error(`the secret key must have ${KEY_BYTES} bytes, not ${key.length}`)
  const sealing = subkey(key, 'seal')
  const printing = subkey(key, 'fingerprint')
  return {
    seal: (text, context) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open: (sealed, context) => {
      const [version, data] = sealed.split('.')
      if (version !== VERSION || data === undefined) throw new Error('not a sealed text')
      const bytes = Buffer.from(data, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return (
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      )
    },
    fingerprint: (text, context) =>
      createHmac('sha256', printing).update(`${context.length}:${context}${text}`).digest('hex'),
  }
}
