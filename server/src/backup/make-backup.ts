import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BUILDS_CHECKPOINT_FILE, CHECKPOINT_FILE } from '#server/anchoring/index.ts'
import type { Config } from '#server/config/config.ts'
import { acquireLock } from '#server/db/directory-lock.ts'
import { askForCopy } from '#server/db/embedded-copy.ts'
import type { FileStore } from '#server/files/file-store.ts'
import { isIntact } from '#server/files/objects.ts'
import { KEY_FILE } from '#server/secrets/secrets.ts'
import { type FootFacts, type Head, type Written, written } from './content.ts'
import { embeddedSession } from './embedded-session.ts'
import { BackupRefused, sealed } from './frames.ts'
import { postgresSession, SETTINGS, type Session } from './session.ts'
import { factsOf } from './shop-facts.ts'
import { hasTable, sequencesOf, type Table, tablesOf } from './tables.ts'

/** A database to read from, at one moment. */
type Source = { kind: 'embedded' | 'postgres'; session: Session; close(): Promise<void> }

export type BackupSettings = Pick<Config, 'DATA_DIR' | 'DATABASE_URL' | 'DATABASE_DIRECT_URL'>

/** How far a backup or a restore is. */
export type Progress = (done: { rows: number; about: number; objects: number; bytes: number }) => void

export type Wanted = {
  config: BackupSettings
  store: FileStore
  passphrase: string | undefined
  /** With `secret.key`; needs a passphrase. */
  secrets: boolean
  /** Version of the shop, for people. */
  version: string
  progress: Progress
  /** Told once all is read. */
  done?: (summary: FootFacts & { rows: number; objects: number }) => void
}

/**
 * The bytes of a backup of a shop that may run meanwhile: all rows at one moment, the objects that they name, and what is
 * in DATA_DIR beside them.
 * @throws BackupRefused when there is no shop, or secrets would not be encrypted
 */
export async function* backup(wanted: Wanted): AsyncGenerator<Uint8Array> {
  if (wanted.secrets && wanted.passphrase === undefined)
    throw new BackupRefused(
      'secret.key decrypts the secrets in the database: a backup with both has to be encrypted. Give a passphrase, or leave it out.',
    )
  const source = await openSource(wanted.config)
  try {
    yield* sealed(contentOf(source, wanted), wanted.passphrase)
  } finally {
    await source.close()
  }
}

async function openSource(config: BackupSettings): Promise<Source> {
  const url = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL
  if (url !== undefined) {
    const session = await postgresSession(url)
    return { kind: 'postgres', session, close: () => session.close() }
  }
  const folder = join(config.DATA_DIR, 'database')
  await readFile(join(folder, 'PG_VERSION')).catch(() => {
    throw new BackupRefused(`There is no shop in ${config.DATA_DIR}: it has no database.`)
  })
  const unlock = await acquireLock(config.DATA_DIR).catch(() => undefined)
  const copy = unlock ? undefined : await askForCopy(config.DATA_DIR)
  const release = unlock ?? copy?.remove ?? (async () => undefined)
  try {
    const session = await embeddedSession(copy?.folder ?? folder)
    return { kind: 'embedded', session, close: () => session.close().finally(release) }
  } catch (error) {
    await release()
    throw error
  }
}

async function* contentOf(source: Source, wanted: Wanted): AsyncGenerator<Uint8Array> {
  const { session } = source
  const tables = await beginOneMoment(session)
  const about = tables.reduce((sum, table) => sum + table.about, 0)
  const facts = await factsOf(session)
  if (facts.migrations.length === 0)
    throw new BackupRefused('This database is not a shop’s: it has no migrations.')
  const [server] = await session.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  )
  const head: Head = {
    is: 'head',
    madeAt: new Date().toISOString(),
    version: wanted.version,
    from: { kind: source.kind, server: server?.version ?? '' },
    ...facts,
    about: Math.round(about),
  }
  const foot: FootFacts = { sequences: [], missing: [], missingCount: 0 }
  const done = { rows: 0, about, objects: 0, bytes: 0 }
  yield* written(head, partsOf(session, tables, wanted, foot, done), () => foot)
  wanted.done?.({ ...foot, rows: done.rows, objects: done.objects })
}

/**
 * Begins a transaction that reads one moment. Tables are locked before it: one that a migration rewrites later would be
 * read empty. Source: PostgreSQL, 13.6 'Caveats'.
 */
async function beginOneMoment(session: Session): Promise<Table[]> {
  const before = await tablesOf(session)
  await session.query(`begin isolation level repeatable read read only; ${SETTINGS}`)
  if (before.length > 0)
    await session.query(`lock table ${before.map(({ name }) => name).join(', ')} in access share mode`)
  const tables = await tablesOf(session)
  const shapes = (of: Table[]): string => JSON.stringify(of.map(({ name, columns }) => [name, columns]))
  if (shapes(before) !== shapes(tables))
    throw new BackupRefused('The shop was upgraded at this moment: run it again.')
  return tables
}

async function* partsOf(
  session: Session,
  tables: readonly Table[],
  { config, store, secrets, progress }: Wanted,
  foot: FootFacts,
  done: Parameters<Progress>[0],
): AsyncGenerator<Written> {
  for (const { name, columns } of tables) {
    let rows = 0
    const counted = session.copyOut(name, columns, (count) => {
      rows = count
      done.rows += count
    })
    yield {
      part: { is: 'part', kind: 'table', name, columns },
      bytes: watched(counted, done, progress),
      rows: () => rows,
    }
  }
  const objects = await objectsOf(session)
  foot.sequences = await sequencesOf(session)
  await session.query('commit')
  for await (const { key, bytes } of readAhead(store, objects)) {
    if (bytes === undefined) {
      foot.missingCount++
      if (foot.missing.length < MAX_LISTED) foot.missing.push(key)
      continue
    }
    yield { part: { is: 'part', kind: 'object', name: key }, bytes: once(bytes) }
    done.objects++
    done.bytes += bytes.length
    progress(done)
  }
  for (const name of [CHECKPOINT_FILE, BUILDS_CHECKPOINT_FILE, ...(secrets ? [KEY_FILE] : [])]) {
    const bytes = await readFile(join(config.DATA_DIR, name)).catch(() => undefined)
    if (bytes) yield { part: { is: 'part', kind: 'file', name }, bytes: once(bytes) }
    else if (name === KEY_FILE)
      throw new BackupRefused(`${join(config.DATA_DIR, name)} can't be read, and the backup is to hold it.`)
  }
}

const MAX_LISTED = 100

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function* watched(
  chunks: AsyncIterable<Uint8Array>,
  done: Parameters<Progress>[0],
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    done.bytes += chunk.length
    progress(done)
    yield chunk
  }
}

type Named = { key: string; bytes: number }

/** The keys and sizes of all objects that rows name. */
export async function objectsOf(session: Session): Promise<Named[]> {
  const found: Named[] = []
  for (const table of ['files', 'file_variants', 'complaint_photos', 'box_archives'].map(
    (name) => `public.${name}`,
  )) {
    if (!(await hasTable(session, table))) continue
    const named = await session.query<Named>(
      `select object_key as key, bytes::float8 as bytes from ${table} order by object_key collate "C"`,
    )
    found.push(...named)
  }
  return found
}

/** Objects that are read while the one before is written. */
const AHEAD = 8

/** The objects in their order; without bytes what the store does not have, or not as it was stored. */
async function* readAhead(
  store: FileStore,
  objects: readonly Named[],
): AsyncGenerator<{ key: string; bytes: Uint8Array | undefined }> {
  const read = async ({ key, bytes: size }: Named) => {
    const bytes = await store.read(key)
    return { key, bytes: bytes && isIntact(key, bytes, size) ? bytes : undefined }
  }
  const waiting: ReturnType<typeof read>[] = []
  for (const object of objects) {
    const reading = read(object)
    reading.catch(() => undefined) // told when its turn comes
    waiting.push(reading)
    for (const first of waiting.splice(0, waiting.length - AHEAD + 1)) yield await first
  }
  for (const last of waiting) yield await last
}
