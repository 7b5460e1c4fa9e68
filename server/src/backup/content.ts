import { createHash } from 'node:crypto'
import { z } from 'zod'
import { BackupRefused } from './frames.ts'

/** What a backup says of itself before its first part. */
export const Head = z.object({
  is: z.literal('head'),
  madeAt: z.iso.datetime(),
  /** Version of the shop that made it. */
  version: z.string(),
  from: z.object({ kind: z.enum(['embedded', 'postgres']), server: z.string() }),
  shop: z.object({
    /** By which `secret.key` is recognized; null: never started. */
    key: z.string().nullable(),
    ledgers: z.array(z.object({ chainId: z.number().int(), contract: z.string() })),
    /** Anchors that the shop knows. */
    anchors: z.number().int(),
    /** Name of its log of anchors. */
    log: z.string().nullable(),
  }),
  /** When each was made, as the table of migrations has it. */
  migrations: z.array(z.number().int()),
  /** As counted by the database's statistics. */
  about: z.number().int(),
})
export type Head = z.infer<typeof Head>

/** A table, an object of the file store, or a file of DATA_DIR. Its bytes follow. */
const Part = z.object({
  is: z.literal('part'),
  kind: z.enum(['table', 'object', 'file']),
  name: z.string(),
  /** Of a table. */
  columns: z.array(z.string()).optional(),
})
export type Part = z.infer<typeof Part>

const End = z.object({
  is: z.literal('end'),
  bytes: z.number().int(),
  sha256: z.string(),
  rows: z.number().int().optional(),
})

/** What a backup says of itself after its last part. */
const Foot = z.object({
  is: z.literal('foot'),
  /** Where each sequence stands. */
  sequences: z.array(z.object({ name: z.string(), last: z.string(), called: z.boolean() })),
  tables: z.number().int(),
  rows: z.number().int(),
  objects: z.number().int(),
  objectBytes: z.number().int(),
  /** Keys of objects that rows name and the store did not have; at most 100 of them. */
  missing: z.array(z.string()),
  missingCount: z.number().int(),
  files: z.array(z.string()),
  /** Hash over the ends of all parts. */
  digest: z.string(),
})
export type Foot = z.infer<typeof Foot>

type Said = Head | Part | z.infer<typeof End> | Foot

/** A length, with the highest bit for words (JSON) instead of bytes. */
const WORDS = 0x8000_0000
const MAX_WORDS = 16 << 20

function framed(payload: Uint8Array, mark: number): Buffer {
  const start = Buffer.alloc(4)
  start.writeUInt32BE((payload.length | mark) >>> 0)
  return Buffer.concat([start, payload])
}

const words = (said: Said): Buffer => framed(Buffer.from(JSON.stringify(said)), WORDS)

/** What is written into a backup, in its order. */
export type Written = { part: Part; bytes: AsyncIterable<Uint8Array>; rows?: () => number }

/** What the end of a backup says beside what is counted while it is written. */
export type FootFacts = Pick<Foot, 'sequences' | 'missing' | 'missingCount'>

/** The content of a backup as bytes; `facts` is asked once all parts are written. */
export async function* written(
  head: Head,
  parts: AsyncIterable<Written>,
  facts: () => FootFacts,
): AsyncGenerator<Uint8Array> {
  yield words(head)
  const count = { tables: 0, rows: 0, objects: 0, objectBytes: 0 }
  const files: string[] = []
  const digest = createHash('sha256')
  for await (const { part, bytes, rows } of parts) {
    yield words(part)
    const sum = createHash('sha256')
    let length = 0
    for await (const chunk of bytes) {
      if (chunk.length === 0) continue
      sum.update(chunk)
      length += chunk.length
      yield framed(chunk, 0)
    }
    const rowCount = rows?.()
    const sha256 = sum.digest('hex')
    if (part.kind === 'table') count.tables++
    if (part.kind === 'object') count.objects++
    if (part.kind === 'object') count.objectBytes += length
    if (part.kind === 'file') files.push(part.name)
    count.rows += rowCount ?? 0
    digest.update(`${part.kind} ${part.name} ${sha256}\n`)
    yield words({ is: 'end', bytes: length, sha256, ...(rowCount === undefined ? {} : { rows: rowCount }) })
  }
  yield words({ is: 'foot', ...count, ...facts(), files, digest: digest.digest('hex') })
}

/** Takes a part of a backup; answers how many rows a table got. */
export type Taker = {
  head(head: Head): Promise<void>
  part(part: Part, bytes: AsyncIterable<Uint8Array>): Promise<number | undefined>
}

/**
 * Reads a backup once, from its head to its foot. Every part's length, hash and number of rows is compared with what was
 * written.
 * @throws BackupRefused
 */
export async function readContent(content: AsyncIterable<Uint8Array>, taker: Taker): Promise<Foot> {
  const input = new Chunks(content)
  await taker.head(asked(Head, await input.words()))
  const digest = createHash('sha256')
  for (;;) {
    const said = asked(z.discriminatedUnion('is', [Part, Foot]), await input.words())
    if (said.is === 'foot') {
      if (said.digest !== digest.digest('hex')) throw odd('its parts are not those that it counts')
      await input.end()
      return said
    }
    const sum = createHash('sha256')
    let length = 0
    const rows = await taker.part(
      said,
      input.bytes((chunk) => {
        sum.update(chunk)
        length += chunk.length
      }),
    )
    const end = asked(End, await input.words())
    const sha256 = sum.digest('hex')
    if (end.bytes !== length || end.sha256 !== sha256) throw odd(`${said.name} is not as it was written`)
    if (end.rows !== rows) throw odd(`${said.name} had ${end.rows} rows and has ${rows} now`)
    digest.update(`${said.kind} ${said.name} ${sha256}\n`)
  }
}

const odd = (why: string): BackupRefused => new BackupRefused(`The backup is damaged: ${why}.`)

function asked<Made>(schema: z.ZodType<Made>, found: unknown): Made {
  const { data, success } = schema.safeParse(found)
  if (!success) throw odd('it says of itself what this version does not understand')
  return data
}

class Chunks {
  readonly #content: AsyncIterator<Uint8Array>
  #rest = Buffer.alloc(0)

  constructor(content: AsyncIterable<Uint8Array>) {
    this.#content = content[Symbol.asyncIterator]()
  }

  /** At least so many bytes are in `#rest` then. */
  async #fill(bytes: number): Promise<boolean> {
    const parts: Uint8Array[] = [this.#rest]
    let length = this.#rest.length
    while (length < bytes) {
      const { done, value } = await this.#content.next()
      if (done) break
      parts.push(value)
      length += value.length
    }
    if (parts.length > 1) this.#rest = Buffer.concat(parts)
    return length >= bytes
  }

  #take(bytes: number): Buffer {
    const taken = this.#rest.subarray(0, bytes)
    this.#rest = this.#rest.subarray(bytes)
    return taken
  }

  async words(): Promise<unknown> {
    if (!(await this.#fill(4))) throw odd('it ends before its last part')
    const start = this.#take(4).readUInt32BE()
    const length = start & ~WORDS
    if ((start & WORDS) === 0 || length > MAX_WORDS || !(await this.#fill(length)))
      throw odd('a part is not where it should be')
    return JSON.parse(this.#take(length).toString())
  }

  async *bytes(seen: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array> {
    while ((await this.#fill(4)) && (this.#rest.readUInt32BE() & WORDS) === 0) {
      let missing = this.#take(4).readUInt32BE()
      while (missing > 0) {
        if (!(await this.#fill(1))) throw odd('it ends in the middle of a part')
        const chunk = this.#take(Math.min(missing, this.#rest.length))
        missing -= chunk.length
        seen(chunk)
        yield chunk
      }
    }
  }

  async end(): Promise<void> {
    // Read to its end: what comes after the last frame is noticed there.
    while (await this.#fill(1)) throw odd('there is more after its end')
  }
}
