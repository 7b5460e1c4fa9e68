import { access, constants, readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { lastDrill } from '#server/backup/last-drill.ts'
import { keyOf } from '#server/backup/shop-facts.ts'
import type { Config } from '#server/config/config.ts'
import { rows, type Tx } from '#server/db/client.ts'
import type { FileStore } from '#server/files/file-store.ts'
import { isIntact } from '#server/files/objects.ts'
import { KEY_CHECK, KEY_FILE } from '#server/secrets/secrets.ts'
import { fault, note, ok, reasonOf, type Said, warning } from './finding.ts'
import { duration } from './rows.ts'

const MIB = 2 ** 20
/** Below the first nothing more can be written soon; below the second there is not much time. */
const [FULL, NEARLY] = [50 * MIB, 500 * MIB]
const MIN_INODES = 1_000
/** Mode bits of group and others. */
const OTHERS = 0o077

/** DATA_DIR: can it be written, is there room, is it private? Nothing is written to find out. */
export async function sayFolder(dataDir: string): Promise<Said[]> {
  const folder = await stat(dataDir).catch(() => undefined)
  if (folder === undefined)
    return [note(`DATA_DIR: ${dataDir} is not there yet: the first start makes it. Is it the right one?`)]
  if (!folder.isDirectory()) return [fault(`DATA_DIR: ${dataDir} is no folder.`, 'Name another.')]
  const said: Said[] = []
  for (const name of ['', 'files', 'outbox', 'database', KEY_FILE]) {
    const path = join(dataDir, name)
    if ((await stat(path).catch(() => undefined)) === undefined) continue
    const mode = name === KEY_FILE ? constants.R_OK : constants.R_OK | constants.W_OK
    const why = await access(path, mode).then(
      () => undefined,
      (error: unknown) => reasonOf(error),
    )
    if (why !== undefined)
      said.push(
        fault(
          `${path} can't be ${name === KEY_FILE ? 'read' : 'read and written'} by this user: ${why}`,
          'Run the command as the shop’s user; else give the folder to it, or mount its disk for writing.',
        ),
      )
  }
  const { bavail, bsize, files, ffree } = await statfs(dataDir)
  const free = bavail * bsize
  const words = `${Math.floor(free / MIB).toLocaleString('en')} MiB are left where ${dataDir} is.`
  if (free < FULL) said.push(fault(words, 'Make room now: orders and records are refused when it is full.'))
  else if (free < NEARLY) said.push(warning(words, 'Make room, or take a larger disk.'))
  if (files > 0 && ffree < MIN_INODES)
    said.push(fault(`Only ${ffree} more files can be made where ${dataDir} is (inodes).`, 'Remove some.'))
  const key = await stat(join(dataDir, KEY_FILE)).catch(() => undefined)
  if (key !== undefined && (key.mode & OTHERS) !== 0)
    said.push(
      warning(
        `Others than its owner may read ${join(dataDir, KEY_FILE)}.`,
        `chmod 600 ${join(dataDir, KEY_FILE)}`,
      ),
    )
  return said.length > 0 ? said : [ok(words)]
}

/** Is the key in DATA_DIR the one that secrets in the database are encrypted with? */
export async function sayKey(tx: Tx, dataDir: string): Promise<Said[]> {
  const [stored] = await rows<{ value: string }>(
    tx,
    sql`select value from installation where name = ${KEY_CHECK}`,
  )
  const here = await keyOf(dataDir)
  const path = join(dataDir, KEY_FILE)
  if (stored === undefined) return []
  if (here === undefined)
    return [
      fault(
        `${path} is not there, and the database has secrets that it encrypts.`,
        'Put it back from where you keep it; without it second factors and webhooks have to be made anew (secret:replace).',
      ),
    ]
  if (here !== stored.value)
    return [
      fault(
        `${path} is not the key that this database was written with.`,
        'The shop does not start with it: take the right file, or the right database.',
      ),
    ]
  return [ok('secret.key is that of the database.')]
}

/** A drill that is longer ago says little of today's backups. */
const OLD_S = 14 * 86_400
const HOW = 'npm run -s befaqt -- drill FOLDER, each week by deploy/systemd/befaqt-drill.timer or the like.'

/** Has a backup been restored lately, to see whether it is one? */
export async function sayDrill(dataDir: string): Promise<Said[]> {
  const last = await lastDrill(dataDir)
  if (last === undefined) return [note(`No backup was ever tried: ${HOW}`)]
  const said: Said[] = []
  if (!last.ok)
    said.push(
      fault(
        `The drill of ${last.at} failed: ${last.problems[0] ?? ''}`,
        'Without a backup that can be restored the shop is one disk away from its end: make one, then drill again.',
      ),
    )
  const age = last.goodAt === null ? undefined : (Date.now() - Date.parse(last.goodAt)) / 1000
  if (age !== undefined && age > OLD_S)
    said.push(warning(`The last good drill was ${duration(age)} ago.`, HOW))
  return said.length > 0 ? said : [ok(`${last.backup} of ${last.madeAt} was a shop again at ${last.at}.`)]
}

/** `box`: whose history it holds. */
type Named = { key: string; bytes: number; box: string | null }

/** What rows name, and what is on its way in or out. */
export async function namedFiles(tx: Tx): Promise<{ named: Named[]; coming: Set<string> }> {
  const named = await rows<Named>(
    tx,
    sql`select object_key as key, bytes::float8 as bytes, null as box from files
        union all select object_key, bytes::float8, null from file_variants
        union all select object_key, bytes::float8, null from complaint_photos
        union all select object_key, bytes::float8, box_id from box_archives order by key`,
  )
  const coming = await rows<{ key: string }>(
    tx,
    sql`select key from pending_objects
        union select payload->>'key' from jobs where queue = 'files.object'`,
  )
  return { named, coming: new Set(coming.map(({ key }) => key)) }
}

const MAX_NAMED = 10
/** What is younger may be of an upload that goes on. */
const SETTLED_MS = 60 * 60_000

/**
 * Files that rows name and the folder does not have, or not of that size, and files that no row names.
 * @param all also compares what is in them with what was stored, which reads all of them
 */
export async function sayFiles(
  { named, coming }: Awaited<ReturnType<typeof namedFiles>>,
  config: Pick<Config, 'DATA_DIR' | 'FILES_URL'>,
  store: FileStore,
  all: boolean,
  signal: AbortSignal,
): Promise<Said[]> {
  const isFolder = config.FILES_URL === undefined
  const folder = join(config.DATA_DIR, 'files')
  const missing: string[] = []
  let compared = 0
  const isThere = async ({ key, bytes }: Named): Promise<boolean> => {
    if (!all) return (await stat(join(folder, key)).catch(() => undefined))?.size === bytes
    const read = await store.read(key)
    return read !== undefined && isIntact(key, read, bytes)
  }
  if (isFolder || all)
    for (const one of named) {
      if (signal.aborted) break
      compared++
      if (!coming.has(one.key) && !(await isThere(one)))
        missing.push(one.box === null ? one.key : `${one.key} (box ${one.box})`)
    }
  const extra = isFolder ? await unnamed(folder, new Set(named.map(({ key }) => key)), coming) : []
  const said: Said[] = []
  if (missing.length > 0)
    said.push(
      fault(
        `${missing.length} of ${compared} files that rows name are not there, or not as they were stored: ${listed(missing)}`,
        'Restore them from a backup, or upload the same pictures again.',
      ),
    )
  if (extra.length > 0)
    said.push(
      note(
        `${extra.length} files in ${folder} are named by no row, and are older than an hour: ${listed(extra)}`,
      ),
    )
  if (!isFolder && !all)
    said.push(note(`${named.length} files are in the bucket by their rows: --deep reads them.`))
  if (said.length > 0) return said
  return [ok(`${compared} files are there${all ? ', each as it was stored' : ''}.`)]
}

const listed = (names: readonly string[]): string =>
  `${names.slice(0, MAX_NAMED).join(', ')}${names.length > MAX_NAMED ? ', …' : ''}`

async function unnamed(
  folder: string,
  named: ReadonlySet<string>,
  coming: ReadonlySet<string>,
): Promise<string[]> {
  const found: string[] = []
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const key = path.slice(folder.length + 1).replaceAll('\\', '/')
    if (named.has(key) || coming.has(key)) continue
    const made = await stat(path).catch(() => undefined)
    if (made !== undefined && Date.now() - made.mtimeMs > SETTLED_MS) found.push(key)
  }
  return found.sort()
}
