import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { ShopError } from '@befaqt/domain/errors'
import { RestoreOutcome, RestoreProgress } from '@befaqt/domain/restore'
import { z } from 'zod'
import { acquireLock, isLocked } from '#server/db/directory-lock.ts'
import { syncFolder } from '../target.ts'

const STATE = 'state.json'
/** There from when the restored shop is whole until it has the other's place: see switch-shops.ts. */
export const SWITCH = 'switch.json'

const State = z.object({
  /** SHA-256 of what the tab is recognized by that began it. */
  tab: z.string(),
  progress: RestoreProgress.nullable(),
  outcome: RestoreOutcome.nullable(),
})
export type State = z.infer<typeof State>

/**
 * A folder that is locked by the process of the shop that restores, from the button to the end. Those that it starts lock
 * the folder of restores one after the other, and between two of them nobody does.
 */
const TURN = 'turn'

/** What is said when the process that restored is gone without a word. */
const CUT_OFF = 'The process that restored was ended in the middle. Start it again.'
const AT_LAST_STEP =
  'The process that restored was ended at its last step. The next start of the shop finishes it, or leaves all as it was.'

/** What a small file of the folder says; undefined: nothing, or not what this version understands. */
export async function said<Said>(path: string, schema: z.ZodType<Said>): Promise<Said | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return undefined
  }
}

/** Writes a small file, whole or not at all, and onto the disk. */
export async function say(path: string, what: object): Promise<void> {
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(JSON.stringify(what))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
  await syncFolder(join(path, '..'))
}

const read = async (folder: string): Promise<State | null> => (await said(join(folder, STATE), State)) ?? null

/** As it is when nobody has the lock: progress came to nothing, unless it is somebody's turn still. */
function unattended(folder: string, state: State): State {
  if (state.progress === null || isLocked(join(folder, TURN)) !== false) return state
  const outcome = { at: new Date().toISOString(), ok: false }
  const said = existsSync(join(folder, SWITCH))
    ? { words: [AT_LAST_STEP], isOpen: true }
    : { words: [CUT_OFF] }
  return { ...state, progress: null, outcome: { ...outcome, ...said } }
}

/**
 * How far a restore is, or how the last one ended, whichever process of this DATA_DIR does it; null: there was none. Of a
 * process that was ended in the middle it says so.
 */
export async function stateOf(folder: string): Promise<State | null> {
  const before = await read(folder)
  if (before === null || before.progress === null || isLocked(folder) !== false) return before
  // It may have ended between the two looks; another that began since then has another beginning.
  const after = await read(folder)
  return after?.progress?.since === before.progress.since ? unattended(folder, after) : after
}

/** The same for whoever holds the folder's lock, and so knows that nobody works on it; kept for all. */
export async function settledState(folder: string): Promise<State | null> {
  const state = await read(folder)
  const settled = state && unattended(folder, state)
  if (settled !== null && settled !== state) await say(join(folder, STATE), settled)
  return settled
}

/** Keeps it for every process of this DATA_DIR. For whoever holds the folder's lock, or ended what did. */
export const sayState = (folder: string, state: State): Promise<void> => say(join(folder, STATE), state)

/** The turns of this process, by folder, each with what ends it. */
const turns = new Map<string, () => Promise<void>>()

export const GOING = 'The backup is being restored already.'

/**
 * Makes it this process's turn to restore from `folder`, until `endTurn`, or until the process ends, and says that it begins.
 * Where that can't be said it is nobody's turn again.
 * @throws ShopError `conflict` when it is another's
 */
export async function beginTurn(folder: string, state: State): Promise<void> {
  const place = join(folder, TURN)
  await mkdir(place, { recursive: true, mode: 0o700 })
  const end = await acquireLock(place).catch((cause: unknown) => {
    throw isLocked(place) ? new ShopError('conflict', GOING, { cause }) : cause
  })
  turns.set(folder, end)
  try {
    await sayState(folder, state)
  } catch (error) {
    await endTurn(folder)
    throw error
  }
}

/** What was said last holds from now on. Idempotent. */
export async function endTurn(folder: string): Promise<void> {
  const end = turns.get(folder)
  turns.delete(folder)
  await end?.()
}

/** By which a tab is recognized, as it is kept. */
export const tabOf = (tab: string): string => createHash('sha256').update(tab).digest('hex')
