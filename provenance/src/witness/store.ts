import { type BigIntStats, mkdirSync } from 'node:fs'
import { type FileHandle, open, readFile, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isPlainObject } from '../canonical.ts'

/*
 * What a witness keeps: in one file the newest checkpoint that it has seen, on the disk before it signs, and beside it its
 * keys. The file says which file it is, by what no copy has: so a folder that was put back from a backup, and would make
 * a witness sign what it has signed otherwise before, is known for one.
 */

const STATE = 'newest.json'
const KEYS = 'witness.key'
const LOCK = 'in-use.db'
const FORMAT = 'befaqt-witness/1'

export class StoreError extends Error {}

/** Folder of a witness, which this process alone has. */
export class Store {
  readonly #folder: string
  readonly #lock: DatabaseSync
  /** The newest checkpoint, as its log signed it; null: none was seen. */
  readonly note: string | null
  /** Why what is here may be older than what was signed, in words; undefined: it is what this folder's witness left. */
  readonly moved: string | undefined

  private constructor(folder: string, lock: DatabaseSync, state: State) {
    this.#folder = folder
    this.#lock = lock
    this.note = state.note
    this.moved = state.moved
  }

  /** @throws StoreError when another process has it, or what is in it can't be read */
  static async open(folder: string): Promise<Store> {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const lock = lockOf(folder)
    try {
      const state = await stateIn(folder)
      const keys = await readOrNothing(join(folder, KEYS))
      if (state === undefined && keys !== undefined)
        return new Store(folder, lock, { note: null, moved: `${STATE} is missing` })
      // Before the keys: where these are, there is a state
      if (state === undefined) await writeState(folder, null)
      return new Store(folder, lock, state ?? { note: null, moved: undefined })
    } catch (error) {
      lock.close()
      throw error
    }
  }

  /**
   * What is kept of another log with the keys of the folder above. @throws StoreError as `open` does
   */
  static async beside(folder: string): Promise<Store> {
    const store = await Store.open(folder)
    // By which a state that went missing is known for one
    await store.keys(() => 'The keys are in the folder above.\n')
    return store
  }

  /** Resolves when it is on the disk, and stays there whatever happens next. */
  write(note: string | null): Promise<void> {
    return writeState(this.#folder, note)
  }

  /** The text of the file with the keys, which is made by `make` where there is none. Nobody else may read it. */
  async keys(make: () => string): Promise<string> {
    const path = join(this.#folder, KEYS)
    const known = await readOrNothing(path)
    if (known === undefined) {
      const text = make()
      await writeWhole(path, () => text)
      return text
    }
    const { mode } = await stat(path)
    if ((mode & 0o077) !== 0) throw new StoreError(`${path} can be read by others: chmod 600`)
    return known
  }

  close(): void {
    this.#lock.close()
  }
}

type State = { note: string | null; moved: string | undefined }

/** A lock of the operating system, which ends with its process. Source: docs/decisions/0004. */
function lockOf(folder: string): DatabaseSync {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(join(folder, LOCK), { timeout: 1_000 })
    lock.exec('pragma locking_mode = exclusive; pragma journal_mode = memory; begin exclusive; commit')
    return lock
  } catch (cause) {
    lock?.close()
    throw new StoreError(`${folder} is in use by another witness, or can't be written`, { cause })
  }
}

async function stateIn(folder: string): Promise<State | undefined> {
  const path = join(folder, STATE)
  const text = await readOrNothing(path)
  if (text === undefined) return undefined
  const { format, file, note } = parsed(text)
  const isNote = note === null || typeof note === 'string'
  if (format !== FORMAT || typeof file !== 'string' || !isNote)
    throw new StoreError(`${path} is not what a witness writes`)
  const isItself = file === identityOf(await stat(path, { bigint: true }))
  return { note, moved: isItself ? undefined : `${STATE} is a copy` }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isPlainObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** Which file it is: each write makes a new one, and a copy is another. */
const identityOf = ({ ino, birthtimeNs }: BigIntStats): string => `${ino}/${birthtimeNs}`

const writeState = (folder: string, note: string | null): Promise<void> =>
  writeWhole(join(folder, STATE), (file) => `${JSON.stringify({ format: FORMAT, file, note }, null, 2)}\n`)

/** Replaces a file, whole or not at all. @param text made of the new file's identity */
async function writeWhole(path: string, text: (file: string) => string): Promise<void> {
  const draft = `${path}.new`
  await withFile(draft, 'w', async (file) => {
    await file.chmod(0o600)
    await file.writeFile(text(identityOf(await file.stat({ bigint: true }))))
    await file.sync()
  })
  await rename(draft, path)
  await withFile(dirname(path), 'r', (folder) => folder.sync())
}

async function withFile(
  path: string,
  flags: string,
  work: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags, 0o600)
  try {
    await work(file)
  } finally {
    await file.close()
  }
}

async function readOrNothing(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
