import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { CHECKPOINT_FILE } from '#server/anchoring/index.ts'
import type { Config } from '#server/config/config.ts'
import { acquireLock, isLocked } from '#server/db/directory-lock.ts'
import { KEY_FILE } from '#server/secrets/secrets.ts'
import { postgresSession } from '../session.ts'
import { hasTable } from '../tables.ts'
import { syncFolder } from '../target.ts'
import { forgetUpload, restoreFolder } from './restore-folder.ts'
import { SWITCH, say, sayState } from './restore-state.ts'

/*
 * A shop is restored into DATA_DIR/restore/shop, a DATA_DIR of its own. When all of it is there, switch.json says so; from
 * then on the next start goes on with what is left to do, wherever the process was ended:
 *
 * embedded     database, key and checkpoint of the bare shop go to restore/before, those of the restored one in their place
 * PostgreSQL   the same of key and checkpoint, once the transaction is committed; if it never was, all is as before
 */
const [SHOP, BEFORE] = ['shop', 'before']
/** What is a shop's own in DATA_DIR, beside files, which have names of their own for ever. */
const OWN_NAMES: readonly string[] = ['database', KEY_FILE, CHECKPOINT_FILE]

/** By which a database is known to be restored: a row of `installation`. */
export const RESTORED = 'restored'
/** On which other processes hear that the database may be another shop's (`watchForAnother`). */
export const RESTORED_CHANNEL = 'restored'

const Switch = z.object({
  id: z.string(),
  /** The database is PostgreSQL: the switch is only done if its transaction was committed. */
  ifCommitted: z.boolean(),
  /** What of the restored shop goes into DATA_DIR. */
  names: z.array(z.string()),
  tab: z.string(),
  words: z.array(z.string()),
})
type Switch = z.infer<typeof Switch>

/** The folder that stands for DATA_DIR while a shop is restored. */
export const sideOf = (folder: string): string => join(folder, SHOP)

/** Removes what is left of a restore that came to nothing. For whoever holds the lock of the folder. */
export async function clearSide(folder: string): Promise<void> {
  await rm(join(folder, SWITCH), { force: true })
  await rm(sideOf(folder), { recursive: true, force: true })
}

/** Says that the restored shop is whole, and is to take the other's place. */
export async function decide(folder: string, decision: Omit<Switch, 'names'>): Promise<Switch> {
  const there = await readdir(sideOf(folder))
  const made = { ...decision, names: OWN_NAMES.filter((name) => there.includes(name)) }
  await rm(join(folder, BEFORE), { recursive: true, force: true }) // of an earlier one
  await mkdir(join(folder, BEFORE), { mode: 0o700 })
  await syncFolder(sideOf(folder))
  await say(join(folder, SWITCH), made)
  return made
}

async function decided(folder: string): Promise<Switch | undefined> {
  const text = await readFile(join(folder, SWITCH), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const found = Switch.parse(JSON.parse(text))
  return { ...found, names: found.names.filter((name) => OWN_NAMES.includes(name)) }
}

/** Puts the restored shop in the place of the other, from wherever an earlier try was ended. */
export async function takePlace(dataDir: string, { names, tab, words }: Switch): Promise<void> {
  const folder = restoreFolder({ DATA_DIR: dataDir })
  const [side, before] = [sideOf(folder), join(folder, BEFORE)]
  const putAside = (name: string): Promise<void> =>
    rename(join(dataDir, name), join(before, name)).catch(ignoreMissing)
  const waiting = await readdir(side).catch((): string[] => [])
  const aside = await readdir(before)
  for (const name of names.filter((one) => waiting.includes(one))) {
    if (!aside.includes(name)) await putAside(name)
    await rename(join(side, name), join(dataDir, name))
  }
  // One of another log must not be taken for the restored one's.
  if (!names.includes(CHECKPOINT_FILE)) await putAside(CHECKPOINT_FILE)
  for (const changed of [before, dataDir]) await syncFolder(changed)
  const outcome = { at: new Date().toISOString(), ok: true, words }
  await sayState(folder, { tab, progress: null, outcome })
  await forgetUpload(folder)
  await clearSide(folder)
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

/** Is there a switch that was decided and is not done? */
export const isDecided = (folder: string): Promise<boolean> =>
  decided(folder).then((found) => found !== undefined)

/** How long another process that does the same, or that restores, is waited for. */
const WAIT_MS = 60_000
const LOOK_MS = 250

/**
 * Ends what a restore left that was killed: before anything of a shop is opened.
 * @returns whether this is a restored shop now that was not there before
 */
export async function finishSwitch(
  config: Pick<Config, 'DATA_DIR' | 'DATABASE_URL' | 'DATABASE_DIRECT_URL'>,
): Promise<boolean> {
  const folder = restoreFolder(config)
  // The process that restores notices a moment later that the one was killed which began it.
  for (let waited = 0; isLocked(folder) === true && waited < WAIT_MS; waited += LOOK_MS) {
    if (config.DATABASE_URL !== undefined) break // another machine's may go on
    await sleep(LOOK_MS)
  }
  if ((await decided(folder)) === undefined) return false
  const unlock = await waitForLock(folder)
  try {
    const found = await decided(folder) // unless another did it meanwhile
    if (found === undefined) return false
    if (found.ifCommitted && !(await isCommitted(config, found.id))) {
      await clearSide(folder)
      return false
    }
    await takePlace(config.DATA_DIR, found)
    return true
  } finally {
    await unlock()
  }
}

async function waitForLock(folder: string): Promise<() => Promise<void>> {
  for (let waited = 0; ; waited += LOOK_MS) {
    const unlock = await acquireLock(folder).catch((error: unknown) => {
      if (waited >= WAIT_MS) throw error
      return undefined
    })
    if (unlock !== undefined) return unlock
    await sleep(LOOK_MS)
  }
}

/** Did the transaction take place that restored the database? */
async function isCommitted(
  { DATABASE_URL, DATABASE_DIRECT_URL }: Pick<Config, 'DATABASE_URL' | 'DATABASE_DIRECT_URL'>,
  id: string,
): Promise<boolean> {
  const url = DATABASE_DIRECT_URL ?? DATABASE_URL
  if (url === undefined) return true
  const session = await postgresSession(url)
  try {
    if (!(await hasTable(session, 'public.installation'))) return false
    const [found] = await session.query<{ value: string }>(
      'select value from public.installation where name = $1',
      [RESTORED],
    )
    return found?.value === id
  } finally {
    await session.close()
  }
}
