import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KEY_BYTES, type Secrets, secretsOf } from './secrets.ts'

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
