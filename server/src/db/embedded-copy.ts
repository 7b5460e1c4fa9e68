import { access, constants, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'

/**
 * How another process asks the one that has an embedded database open for a copy of it: by a file in DATA_DIR, which only
 * the shop's own user can write. Folder of the wish, of the copy, and of the answer.
 */
const COPY_FOLDER = 'database.copy'
const [WANTED, COPY, MADE, FAILED] = ['wanted', 'database', 'made', 'failed']

/** How often the process that has the database looks for a wish. */
const LOOK_MS = 500
/** Who gets no sign of work for this long gives up: an older version runs, or none. */
const NO_ANSWER_MS = 30_000
/** Nor is a copy waited for without end: the process that began it may have been killed. */
const NO_COPY_MS = 15 * 60_000

/**
 * Makes copies that are asked for. The shop's statements wait while files are copied, which takes some tenths of a second
 * for 100 MB: so what is copied is what one moment held, and nobody waits for what is then read from the copy. Returns a
 * function that stops it.
 */
export function answerCopies(lite: PGlite, dataDir: string): () => Promise<void> {
  const folder = join(dataDir, COPY_FOLDER)
  let running: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(() => answer(lite, dataDir, folder)).catch((error: unknown) => warn(error))
  }, LOOK_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

const warn = (error: unknown): void => process.emitWarning(`No copy of the database was made: ${error}`)

async function answer(lite: PGlite, dataDir: string, folder: string): Promise<void> {
  const wanted = join(folder, WANTED)
  if (!(await isThere(wanted))) return
  await rm(wanted) // first: a wish is answered once
  try {
    await lite.transaction(async (tx) => {
      await tx.exec('checkpoint') // what is in memory is in the files then
      await cp(join(dataDir, 'database'), join(folder, COPY), {
        recursive: true,
        mode: constants.COPYFILE_FICLONE,
      })
    })
    await tell(folder, MADE, '')
  } catch (error) {
    await rm(join(folder, COPY), { recursive: true, force: true })
    await tell(folder, FAILED, error instanceof Error ? error.message : String(error))
  }
}

/** A file that is there with all it says. */
async function tell(folder: string, name: string, text: string): Promise<void> {
  await writeFile(join(folder, `${name}.new`), text)
  await rename(join(folder, `${name}.new`), join(folder, name))
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** A copy of the database of a running process, for one who asks at a time. */
export type DatabaseCopy = { folder: string; remove(): Promise<void> }

/**
 * Asks the process that has the database of `dataDir` open for a copy.
 * @throws Error for the operator when nobody answers, or no copy could be made
 */
export async function askForCopy(
  dataDir: string,
  { waitMs = NO_ANSWER_MS, copyMs = NO_COPY_MS } = {},
): Promise<DatabaseCopy> {
  const folder = join(dataDir, COPY_FOLDER)
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  await remove() // of a command that was killed
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(join(folder, WANTED), `${process.pid}`)
  try {
    const isWaiting = (): Promise<boolean> => isThere(join(folder, WANTED))
    for (let waited = 0; await isWaiting(); waited += LOOK_MS / 5) {
      if (waited >= waitMs) throw new Error(NOBODY)
      await sleep(LOOK_MS / 5)
    }
    for (let waited = 0; waited < copyMs; waited += LOOK_MS / 5) {
      if (await isThere(join(folder, MADE))) return { folder: join(folder, COPY), remove }
      const failed = await readFile(join(folder, FAILED), 'utf8').catch(() => undefined)
      if (failed !== undefined) throw new Error(`The running shop could not copy its database: ${failed}`)
      await sleep(LOOK_MS / 5)
    }
    throw new Error(
      'The running shop began to copy its database and did not end. Is it running still? Run this again.',
    )
  } catch (error) {
    await remove()
    throw error
  }
}

const NOBODY =
  'Another process has the database open and makes no copy of it: a shop of an older version, or another command. Stop ' +
  'it, or wait for it, and run this again.'
