import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BUILDS_CHECKPOINT_FILE, CHECKPOINT_FILE } from '#server/anchoring/index.ts'
import type { Config } from '#server/config/config.ts'
import { makeDataDir } from '#server/config/data-dir.ts'
import { readMigrations } from '#server/db/schema-version.ts'
import type { FileStore } from '#server/files/file-store.ts'
import { isIntact } from '#server/files/objects.ts'
import { KEY_FILE } from '#server/secrets/secrets.ts'
import { inWords } from './backup-file.ts'
import { type Foot, type Head, type Part, readContent } from './content.ts'
import { BackupRefused, opened } from './frames.ts'
import { objectsOf, type Progress } from './make-backup.ts'
import type { Session } from './session.ts'
import { keyOf } from './shop-facts.ts'
import { bare, migrateTo, setSequences, tablesOf } from './tables.ts'
import { openTarget, syncFolder, type Target } from './target.ts'

export type RestoreWanted = {
  config: Pick<Config, 'DATA_DIR' | 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'CHAIN_CONTRACT'>
  store: FileStore
  passphrase: string | undefined
  /** The chain that the settings name; undefined: it does not answer now. */
  chainId: number | undefined
  progress: Progress
  /** Takes away what the restored shop replaces, in its transaction; only in PostgreSQL. */
  empty?: (session: Session) => Promise<void>
  /** Runs once all is there and nothing is committed; where it fails, nothing is restored. */
  beforeCommit?: (session: Session, restored: Restored) => Promise<void>
}

export type Restored = {
  head: Head
  foot: Foot
  /** Tables of the backup that no migration makes, as an operator's own: they are not restored. */
  leftOut: string[]
  /** Keys of objects that rows name and the backup does not have. */
  missing: string[]
  /** Files of DATA_DIR that were there already, and stayed as they were. */
  kept: string[]
}

/**
 * Restores a backup into an empty shop, which has all of it at the end, or nothing: a restore that failed or was killed can
 * be repeated.
 * @throws BackupRefused with a sentence for the operator
 */
export async function restore(file: AsyncIterable<Uint8Array>, wanted: RestoreWanted): Promise<Restored> {
  const loading = new Loading(wanted)
  const inOurWords = (error: unknown): unknown => inWords(error, wanted.config.DATA_DIR)
  let restored: Restored
  try {
    restored = await loading.finish(await readContent(opened(file, wanted.passphrase), loading))
    await wanted.beforeCommit?.(loading.session, restored)
  } catch (error) {
    await loading.undo()
    throw inOurWords(error)
  }
  await loading.commit().catch((error: unknown) => {
    throw inOurWords(error)
  })
  return restored
}

/** Names of objects that the store may be given: ours, never a path out of it. */
const SAFE_KEY = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/
const MAX_FILE_BYTES = 1 << 20

/** Puts a backup into its target, part by part. */
class Loading {
  #target: Target | undefined
  readonly #wanted: RestoreWanted
  #head: Head | undefined
  #columns = new Map<string, ReadonlySet<string>>()
  #putBack: () => Promise<void> = async () => undefined
  /** What rows name, once all tables are there; an object that was stored is taken out. */
  #named: Map<string, number> | undefined
  readonly #stored: string[] = []
  readonly #files = new Map<string, Uint8Array>()
  readonly #written: string[] = []
  readonly #leftOut: string[] = []
  readonly #done = { rows: 0, about: 0, objects: 0, bytes: 0 }

  constructor(wanted: RestoreWanted) {
    this.#wanted = wanted
  }

  get session(): Session {
    if (this.#target === undefined) throw new BackupRefused('The backup is damaged: it has no beginning.')
    return this.#target.session
  }

  async head(head: Head): Promise<void> {
    await refuseForeign(head, this.#wanted)
    this.#head = head
    this.#done.about = head.about
    this.#target = await openTarget(this.#wanted.config, this.#wanted.empty)
    const { session } = this.#target
    await migrateTo(session, head.migrations)
    this.#columns = new Map((await tablesOf(session)).map(({ name, columns }) => [name, new Set(columns)]))
    this.#putBack = await bare(session)
  }

  async part(part: Part, bytes: AsyncIterable<Uint8Array>): Promise<number | undefined> {
    if (part.kind === 'table') return this.#table(part, bytes)
    if (part.kind === 'object') await this.#object(part.name, bytes)
    else await this.#file(part.name, bytes)
    return undefined
  }

  async #table({ name, columns = [] }: Part, bytes: AsyncIterable<Uint8Array>): Promise<number | undefined> {
    const known = this.#columns.get(name)
    if (known === undefined) {
      this.#leftOut.push(name)
      let rows = 0
      for await (const chunk of bytes) for (const byte of chunk) if (byte === 10) rows++
      return rows
    }
    const unknown = columns.filter((column) => !known.has(column))
    if (unknown.length > 0 || columns.length === 0)
      throw new BackupRefused(
        `The backup has columns of ${name} that its migrations do not make: ${unknown.join(', ')}.`,
      )
    const rows = await this.session.copyIn(name, columns, this.#watched(bytes))
    this.#done.rows += rows
    return rows
  }

  async *#watched(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.#done.bytes += chunk.length
      this.#wanted.progress(this.#done)
      yield chunk
    }
  }

  async #object(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    this.#named ??= new Map((await objectsOf(this.session)).map((one) => [one.key, one.bytes]))
    const size = this.#named.get(key)
    if (size === undefined || !SAFE_KEY.test(key))
      throw new BackupRefused(`The backup is damaged: no row names its file ${key}.`)
    const whole = await collected(bytes, size)
    if (!isIntact(key, whole, size))
      throw new BackupRefused(`The backup is damaged: its file ${key} is not what its name says.`)
    this.#stored.push(key)
    await this.#wanted.store.put(key, whole)
    this.#named.delete(key)
    this.#done.objects++
    this.#done.bytes += whole.length
    this.#wanted.progress(this.#done)
  }

  async #file(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    if (![KEY_FILE, CHECKPOINT_FILE, BUILDS_CHECKPOINT_FILE].includes(name))
      throw new BackupRefused(`The backup is damaged: it has a file ${name}, which no shop has.`)
    this.#files.set(name, await collected(bytes, MAX_FILE_BYTES))
  }

  /** Once all parts are there: indexes, references, numbers, and the files of DATA_DIR. */
  async finish(foot: Foot): Promise<Restored> {
    if (this.#head === undefined) throw new BackupRefused('The backup is damaged: it has no beginning.')
    const session = this.session
    await setSequences(session, foot.sequences)
    await this.#putBack()
    const named = this.#named ?? new Map((await objectsOf(session)).map((one) => [one.key, one.bytes]))
    const kept = await this.#writeFiles()
    return { head: this.#head, foot, leftOut: this.#leftOut, missing: [...named.keys()], kept }
  }

  /** What is there stays: a key was compared, and a newer state of the log must not be forgotten. */
  async #writeFiles(): Promise<string[]> {
    const kept: string[] = []
    const { DATA_DIR } = this.#wanted.config
    await makeDataDir(DATA_DIR)
    for (const [name, bytes] of this.#files) {
      const path = join(DATA_DIR, name)
      const there = await readFile(path).catch(() => undefined)
      if (there && !there.equals(bytes)) kept.push(name)
      if (there) continue
      this.#written.push(path)
      const file = await open(path, 'wx', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
    }
    await syncFolder(DATA_DIR)
    return kept
  }

  /** One that is lost in the middle may be done all the same: then its objects and its key have to stay. */
  async commit(): Promise<void> {
    const target = this.#target
    await target?.commit().catch(async (error: unknown) => {
      await target.discard()
      throw error
    })
  }

  /** After a failure. Objects that can't be removed are harmless, since no row names them. */
  async undo(): Promise<void> {
    await this.#target?.discard()
    for (const path of this.#written) await rm(path, { force: true }).catch(() => undefined)
    for (const key of this.#stored) await this.#wanted.store.remove(key).catch(() => undefined)
  }
}

async function collected(bytes: AsyncIterable<Uint8Array>, max: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > max) throw new BackupRefused('The backup is damaged: a file is longer than it should be.')
    parts.push(Buffer.from(chunk))
  }
  return Buffer.concat(parts)
}

/** @throws BackupRefused for one of a newer version, or of another shop than what is there already */
export async function refuseForeign(
  head: Head,
  wanted: Pick<RestoreWanted, 'chainId'> & { config: Pick<Config, 'DATA_DIR' | 'CHAIN_CONTRACT'> },
): Promise<void> {
  const known = new Set(readMigrations().map(({ folderMillis }) => folderMillis))
  const newer = head.migrations.filter((made) => !known.has(made))
  if (newer.length > 0)
    throw new BackupRefused(
      `The backup is of a newer version of the shop (${head.version}): it has ${newer.length} migrations that this version does not know. Restore it with that version.`,
    )
  await refuseOtherShop(head, wanted)
}

/** @throws BackupRefused when what is there already is of another shop than the backup */
async function refuseOtherShop(
  { shop }: Head,
  { config: { DATA_DIR, CHAIN_CONTRACT }, chainId }: Parameters<typeof refuseForeign>[1],
): Promise<void> {
  const key = await keyOf(DATA_DIR)
  if (key !== undefined && shop.key !== null && key !== shop.key)
    throw new BackupRefused(
      `The backup is of another shop: ${join(DATA_DIR, KEY_FILE)} is not the key that it was written with. Take the right DATA_DIR, or an empty one.`,
    )
  if (shop.anchors === 0) return
  const named = shop.ledgers.map(({ contract }) => contract.toLowerCase())
  if (CHAIN_CONTRACT !== undefined && !named.includes(CHAIN_CONTRACT.toLowerCase()))
    throw new BackupRefused(
      `The backup is of another shop: it anchors in ${named.join(', ')}, and CHAIN_CONTRACT is ${CHAIN_CONTRACT}.`,
    )
  const chains = shop.ledgers.map((ledger) => ledger.chainId)
  if (chainId !== undefined && !chains.includes(chainId))
    throw new BackupRefused(
      `The backup is of a shop on chain ${chains.join(', ')}, and the settings name chain ${chainId}: it could not anchor there. Set CHAIN_RPC_URL as that shop has it.`,
    )
}
