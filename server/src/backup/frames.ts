import {
  createCipheriv,
  createDecipheriv,
  createHash,
  randomBytes,
  type ScryptOptions,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { z } from 'zod'

/** A backup that can't be restored, with a sentence for the operator. */
export class BackupRefused extends Error {
  override name = 'BackupRefused'
}

const MAGIC = Buffer.from('befaqt-backup\n')
/** What is compressed and sealed at a time, and how much longer a sealed frame may be. */
const FRAME_BYTES = 1 << 20
const MAX_SEALED = FRAME_BYTES + (1 << 16)
const MAX_HEADER = 4_096
const TAG_BYTES = 16

/** Of RFC 7914; 128 MiB and some tenths of a second for each guess. */
const SCRYPT = { N: 1 << 17, r: 8, p: 1 } as const

const Header = z.object({
  format: z.number().int(),
  seal: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('sum') }),
    z.object({
      kind: z.literal('scrypt-aes-256-gcm'),
      N: z.literal(SCRYPT.N),
      r: z.literal(SCRYPT.r),
      p: z.literal(SCRYPT.p),
      salt: z.string().regex(/^[0-9a-f]{32}$/),
      /** By which the key is recognized. */
      check: z.string().regex(/^[0-9a-f]{32}$/),
    }),
  ]),
})

/** The layout of the file. A backup of a higher one is refused. */
const FORMAT = 1

/** Seals the frames of one backup in their order, or opens them. `flag` is 1 for the last. */
type Seal = {
  close(payload: Uint8Array, flag: number): Buffer
  /** @throws when it is not what was sealed at this place */
  open(sealed: Uint8Array, flag: number): Uint8Array
}

type Keys = { seal: Buffer; check: string }

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

async function keysOf(passphrase: string, salt: string): Promise<Keys> {
  const made = await derive(passphrase.normalize('NFC'), Buffer.from(salt, 'hex'), 64, {
    ...SCRYPT,
    maxmem: 256 * SCRYPT.N * SCRYPT.r,
  })
  const check = createHash('sha256').update(made.subarray(32)).digest('hex').slice(0, 32)
  return { seal: made.subarray(0, 32), check }
}

/** Its place in the file and whether it is the last are in the nonce, so frames can't be moved, left out or cut off. */
function nonceAt(place: number, flag: number): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(place), 3)
  nonce.writeUInt8(flag, 11)
  return nonce
}

/** AES-256-GCM (NIST SP 800-38D), bound to the header. The key is this backup's own, so a counter is a nonce. */
function encryption(key: Buffer, header: Buffer): Seal {
  let place = 0
  const bound = createHash('sha256').update(header).digest()
  return {
    close(payload, flag) {
      const cipher = createCipheriv('aes-256-gcm', key, nonceAt(place++, flag)).setAAD(bound)
      return Buffer.concat([cipher.update(payload), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed, flag) {
      const end = sealed.length - TAG_BYTES
      const decipher = createDecipheriv('aes-256-gcm', key, nonceAt(place++, flag), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(bound)
        .setAuthTag(sealed.subarray(end))
      return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()])
    },
  }
}

/** Without a passphrase: a sum over all that came before, which finds damage, not an attacker. */
function sums(header: Buffer): Seal {
  let place = 0
  let before: Uint8Array = createHash('sha256').update(header).digest()
  const sumOf = (payload: Uint8Array, flag: number): Uint8Array => {
    before = createHash('sha256').update(before).update(nonceAt(place++, flag)).update(payload).digest()
    return before.subarray(0, TAG_BYTES)
  }
  return {
    close: (payload, flag) => Buffer.concat([payload, sumOf(payload, flag)]),
    open(sealed, flag) {
      const payload = sealed.subarray(0, sealed.length - TAG_BYTES)
      if (!timingSafeEqual(sumOf(payload, flag), sealed.subarray(payload.length)))
        throw new Error('another sum')
      return payload
    },
  }
}

/** The bytes of a backup with this content, compressed and sealed frame by frame: in memory are one or two of them. */
export async function* sealed(
  content: AsyncIterable<Uint8Array>,
  passphrase: string | undefined,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(16).toString('hex')
  const keys = passphrase === undefined ? undefined : await keysOf(passphrase, salt)
  const seal = keys ? { kind: 'scrypt-aes-256-gcm', ...SCRYPT, salt, check: keys.check } : { kind: 'sum' }
  const json = Buffer.from(JSON.stringify({ format: FORMAT, seal }))
  const size = Buffer.alloc(4)
  size.writeUInt32BE(json.length)
  const header = Buffer.concat([MAGIC, size, json])
  yield header
  const frames = keys ? encryption(keys.seal, header) : sums(header)
  const frame = async (payload: Uint8Array, flag: number): Promise<Buffer> => {
    const body = frames.close(await compressed(payload), flag)
    const start = Buffer.alloc(5)
    start.writeUInt32BE(body.length)
    start.writeUInt8(flag, 4)
    return Buffer.concat([start, body])
  }
  let waiting: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of content)
    for (let rest = chunk; rest.length > 0; ) {
      const part = rest.subarray(0, FRAME_BYTES - bytes)
      rest = rest.subarray(part.length)
      waiting.push(part)
      bytes += part.length
      if (bytes < FRAME_BYTES) continue
      yield await frame(Buffer.concat(waiting), 0)
      waiting = []
      bytes = 0
    }
  yield await frame(Buffer.concat(waiting), 1)
}

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
const compressed = (payload: Uint8Array): Promise<Buffer> => compress(payload)

/**
 * The content of a backup, each frame checked before it is handed on; all of it was there once the last one is.
 * @throws BackupRefused, which tells a wrong passphrase, half a backup, damage and a newer format apart
 */
export async function* opened(
  file: AsyncIterable<Uint8Array>,
  passphrase: string | undefined,
): AsyncGenerator<Uint8Array> {
  const input = new Reader(file)
  const { seal, bytes } = await readHead(input)
  const frames = await sealOf(seal, passphrase, bytes)
  for (let isLast = false; !isLast; ) {
    const head = await input.exactly(5)
    const length = head.readUInt32BE(0)
    const flag = head.readUInt8(4)
    if (length < TAG_BYTES || length > MAX_SEALED || flag > 1) throw damaged(input.at)
    const body = await input.exactly(length)
    yield await payloadOf(frames, body, flag).catch(() => {
      throw damaged(input.at)
    })
    isLast = flag === 1
  }
  if ((await input.upTo(1)).length > 0) throw damaged(input.at)
}

/** What a file says of itself before its first frame, and the bytes of that. */
async function readHead(input: Reader): Promise<HeaderOf & { bytes: Buffer }> {
  const start = await input.upTo(MAGIC.length + 4)
  if (!MAGIC.equals(start.subarray(0, MAGIC.length)))
    throw new BackupRefused(
      start.length === 0 ? 'The file is empty: it is no backup.' : 'This is no backup of a shop.',
    )
  if (start.length < MAGIC.length + 4) throw half(input.at)
  const size = start.readUInt32BE(MAGIC.length)
  if (size > MAX_HEADER) throw damaged(input.at)
  const json = await input.exactly(size)
  return { ...readHeader(json, input.at), bytes: Buffer.concat([start, json]) }
}

const payloadOf = async (frames: Seal, body: Uint8Array, flag: number): Promise<Uint8Array> =>
  decompress(frames.open(body, flag), { maxOutputLength: FRAME_BYTES })

/** Has a passphrase to be known to read what begins with these bytes? @throws BackupRefused when no backup does */
export const encryptionOf = async (head: Uint8Array): Promise<boolean> =>
  (await headerOf(head)).seal.kind !== 'sum'

/** The same of a file; null: it does not begin as a backup of a version that is known. */
export const isEncrypted = (path: string): Promise<boolean | null> =>
  firstBytesOf(path)
    .then(encryptionOf)
    .catch(() => null)

/** Is this the passphrase of the backup in this file, as far as its first lines say? Any is, of one that needs none. */
export async function opensWith(path: string, passphrase: string | undefined): Promise<boolean> {
  const { seal, bytes } = await headerOf(await firstBytesOf(path))
  return sealOf(seal, passphrase, bytes).then(
    () => true,
    () => false,
  )
}

const headerOf = (head: Uint8Array): ReturnType<typeof readHead> =>
  readHead(new Reader(Readable.from([head])))

async function firstBytesOf(path: string): Promise<Uint8Array> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_HEADER), 0, MAX_HEADER, 0)
  return buffer.subarray(0, bytesRead)
}

type HeaderOf = z.infer<typeof Header>

function readHeader(json: Buffer, at: number): HeaderOf {
  try {
    const found: unknown = JSON.parse(json.toString())
    const { format } = z.object({ format: z.number().int() }).parse(found)
    if (format > FORMAT)
      throw new BackupRefused(
        `The backup has layout ${format} and this version reads up to ${FORMAT}: restore it with the version that made it, or a newer one.`,
      )
    return Header.parse(found)
  } catch (error) {
    if (error instanceof BackupRefused) throw error
    throw damaged(at)
  }
}

async function sealOf(seal: HeaderOf['seal'], passphrase: string | undefined, header: Buffer): Promise<Seal> {
  if (seal.kind === 'sum') return sums(header)
  if (passphrase === undefined)
    throw new BackupRefused('The backup is encrypted: it needs --passphrase-file or BEFAQT_PASSPHRASE.')
  const keys = await keysOf(passphrase, seal.salt)
  if (keys.check !== seal.check)
    throw new BackupRefused('The passphrase is wrong, or the first lines of the file are damaged.')
  return encryption(keys.seal, header)
}

const half = (at: number): BackupRefused =>
  new BackupRefused(`Half a backup: the file ends in the middle, after ${at} bytes.`)
const damaged = (at: number): BackupRefused =>
  new BackupRefused(`The backup is damaged: before byte ${at} it is not what was written.`)

/** Reads so many bytes at a time of what comes in chunks of any size. */
class Reader {
  /** Bytes that were read. */
  at = 0
  readonly #chunks: AsyncIterator<Uint8Array>
  #rest: Uint8Array = new Uint8Array()

  constructor(file: AsyncIterable<Uint8Array>) {
    this.#chunks = file[Symbol.asyncIterator]()
  }

  /** Fewer at the end alone. */
  async upTo(bytes: number): Promise<Buffer> {
    const parts: Uint8Array[] = []
    let missing = bytes
    while (missing > 0) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#chunks.next()
        if (done) break
        this.#rest = value
        continue
      }
      const part = this.#rest.subarray(0, missing)
      this.#rest = this.#rest.subarray(part.length)
      missing -= part.length
      parts.push(part)
    }
    this.at += bytes - missing
    return Buffer.concat(parts)
  }

  /** @throws BackupRefused when the file ends before */
  async exactly(bytes: number): Promise<Buffer> {
    const found = await this.upTo(bytes)
    if (found.length < bytes) throw half(this.at)
    return found
  }
}
