import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Encryption under the server's own key: a stolen copy of the database does not reveal these secrets. */
export type Secrets = {
  /** Encrypts `text`, bound to `context` (what it is and whose), which must be the same to decrypt it. */
  encrypt(text: string, context: string): string
  /** @throws Error when it was changed, or encrypted with another key or context */
  decrypt(sealed: string, context: string): string
  /** HMAC of `text`, hex: for secrets too short to be stored under a plain hash. */
  hmac(text: string, context: string): string
}

export const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v1'

const subkey = (key: Uint8Array, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, new Uint8Array(), `befaqt ${use}`, KEY_BYTES))

/**
 * Secrets under one key of 32 bytes: AES-256-GCM (NIST SP 800-38D) with a random nonce and the context as
 * additional data; HMAC-SHA-256. Each use has its own key, derived by HKDF (RFC 5869).
 */
export function secretsOf(key: Uint8Array): Secrets {
  if (key.length !== KEY_BYTES)
    throw new Error(`the secret key must have ${KEY_BYTES} bytes, not ${key.length}`)
  const encryptionKey = subkey(key, 'seal')
  const hmacKey = subkey(key, 'fingerprint')
  return {
    encrypt: (text, context) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    decrypt: (sealed, context) => {
      const [version, data] = sealed.split('.')
      if (version !== VERSION || data === undefined) throw new Error('not an encrypted text')
      const bytes = Buffer.from(data, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return (
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      )
    },
    hmac: (text, context) =>
      createHmac('sha256', hmacKey).update(`${context.length}:${context}${text}`).digest('hex'),
  }
}

/** What a key is recognized by says nothing of it: an HMAC, by this name in the table `installation`. */
export const KEY_CHECK = 'secret key check'

/** By what this key is recognized. */
export const keyCheck = (secrets: Secrets): string => secrets.hmac('befaqt', KEY_CHECK)

/** Name of the key's file in DATA_DIR. Several machines of one shop need the same file. */
export const KEY_FILE = 'secret.key'

const OWNER_ONLY = 0o600
const HEX_KEY = new RegExp(`^[0-9a-f]{${KEY_BYTES * 2}}$`)

/**
 * Reads the server's key from `dataDir`, or creates it on the first start. Only the owner may read the file.
 * @throws Error when the file does not contain a key: a new one could not decrypt existing secrets
 */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  await mkdir(dataDir, { recursive: true })
  const path = join(dataDir, KEY_FILE)
  const written = (await readIfThere(path)) ?? (await writeFirst(path))
  const hex = written.trim()
  if (!HEX_KEY.test(hex)) throw new Error(`${path} does not contain a key of ${KEY_BYTES} bytes in hex`)
  await chmod(path, OWNER_ONLY)
  return secretsOf(Buffer.from(hex, 'hex'))
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Atomic: link() never overwrites, so two processes that start together get the same key. */
async function writeFirst(path: string): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: OWNER_ONLY, flush: true })
  try {
    await link(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await rm(draft)
  }
  return readFile(path, 'utf8')
}
