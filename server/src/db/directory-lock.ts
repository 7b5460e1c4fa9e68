import { existsSync, readFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

/** Locked by the operating system while its process lives. Never removed: a lock on a removed file excludes nobody. */
const LOCK_FILE = 'in-use.db'
/** Contains the holder's pid, for people and for older versions, which know no other lock. */
const HOLDER_FILE = 'in-use.lock'

/**
 * Two processes that start at the same moment can block each other half way through locking. So each retries after a
 * random delay; the error of a lock that is really held comes a tenth of a second later.
 */
const [TRIES, PAUSE_MS] = [5, 40]

/** Result codes of SQLite. Source: sqlite.org/rescode.html. */
const [BUSY, LOCKED, READONLY, CANTOPEN, NOTADB] = [5, 6, 8, 14, 26]

/**
 * Locks `dataDir` for this process. Returns a function that releases it. It is a kernel lock (fcntl, LockFileEx on
 * Windows) by way of SQLite's exclusive lock on a file: it ends with its process, even after a crash, does not rely on
 * process ids, and works between containers that share the folder. Source: docs/decisions/0004.
 * @throws Error for the operator when another process holds the lock, or the lock file is not usable
 */
export async function acquireLock(dataDir: string): Promise<() => Promise<void>> {
  const holderFile = join(dataDir, HOLDER_FILE)
  let lock = lockFile(dataDir)
  for (let tries = 1; lock === undefined && tries < TRIES; tries += 1) {
    await sleep(Math.random() * PAUSE_MS)
    lock = lockFile(dataDir)
  }
  if (lock === undefined) throw new Error(inUse(dataDir, pidOf(await readHolder(holderFile))))
  try {
    const holder = await readHolder(holderFile)
    const pid = pidOf(holder)
    const isOfOlderVersion = holder !== '' && pid !== lock.formerPid
    if (isOfOlderVersion && nameOf(pid) === holder) throw new Error(inUse(dataDir, pid))
    await rm(holderFile, { force: true })
    await writeFile(holderFile, nameOf(process.pid), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    lock.release()
    throw error
  }
  return async () => {
    await rm(holderFile, { force: true })
    lock.release()
  }
}

/** Does a process hold the lock of `dataDir`? Neither takes it nor writes anything; undefined: it can't be found out. */
export function isLocked(dataDir: string): boolean | undefined {
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(join(dataDir, LOCK_FILE), { timeout: 0, readOnly: true })
    file.prepare('pragma user_version').get()
    return false
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined
    if (code === BUSY || code === LOCKED) return true
    return existsSync(join(dataDir, LOCK_FILE)) ? undefined : false
  } finally {
    file?.close()
  }
}

type Lock = { formerPid: number; release(): void }

/** Acquires the lock; undefined when it is held. The file stores the pid of its last holder. */
function lockFile(dataDir: string): Lock | undefined {
  const path = join(dataDir, LOCK_FILE)
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path, { timeout: 0 })
    file.exec('pragma locking_mode = exclusive; pragma journal_mode = memory; begin exclusive')
    const formerPid = Number(file.prepare('pragma user_version').get()?.user_version)
    file.exec(`pragma user_version = ${process.pid}; commit`)
    return { formerPid, release: () => file?.close() }
  } catch (error) {
    file?.close()
    const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined
    if (code === BUSY || code === LOCKED) return undefined
    if (code === NOTADB) throw new Error(notOurs(path, 'holds something else'), { cause: error })
    if (code === READONLY) throw new Error(notOurs(path, 'cannot be written'), { cause: error })
    if (code === CANTOPEN) throw new Error(notOurs(path, 'cannot be opened'), { cause: error })
    throw error
  }
}

/** The content of the holder file; '' when it does not exist. */
async function readHolder(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT') return ''
    if (code === 'EISDIR') throw new Error(notOurs(path, 'is a folder'), { cause: error })
    throw error
  }
}

const pidOf = (holder: string): number => Number(holder.split(' ')[0])

const inUse = (dataDir: string, pid: number): string =>
  `The data folder ${dataDir} is in use by another process${pid > 0 ? ` (${pid})` : ''}. ` +
  'Stop that one, or give this one a DATA_DIR of its own.'

const notOurs = (path: string, what: string): string =>
  `${path} should be the lock file that keeps a second process away, but ${what}. ` +
  'When no process of the shop is running on this DATA_DIR, remove it and start again.'

/** 'pid start' of a living process, 'pid' where its start time is unknown, '' for a dead one. */
function nameOf(pid: number): string {
  if (!Number.isInteger(pid) || pid <= 0) return ''
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return ''
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
    return `${pid} ${started}`
  } catch {
    return `${pid}`
  }
}
