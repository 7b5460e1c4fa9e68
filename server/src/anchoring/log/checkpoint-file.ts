import { open, readdir, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Where the newest signed checkpoint of each log is kept beside an embedded database. */
export const CHECKPOINT_FILE = 'anchor-log.checkpoint'
export const BUILDS_CHECKPOINT_FILE = 'builds-log.checkpoint'

/** What has to be there before a checkpoint is shown, whatever is lost after that. */
export type CheckpointFile = {
  /** The newest; undefined: none was written. */
  read(): Promise<string | undefined>
  /** Resolves when it is on the disk. */
  write(note: string): Promise<void>
  /** Keeps the newest under a name of its own too, for a log that is begun anew: what it says of the former is nowhere else. */
  setAside(): Promise<void>
  /** All that were set aside, the oldest first. */
  formers(): Promise<string[]>
}

/**
 * The newest checkpoint in a file: the embedded database does not call fsync, so after a power cut it may have forgotten
 * what it signed.
 */
export function checkpointFile(dataDir: string, name: string = CHECKPOINT_FILE): CheckpointFile {
  const path = join(dataDir, name)
  const read = () =>
    readFile(path, 'utf8').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    })
  const asideNames = async (): Promise<string[]> => {
    const numbers = (await readdir(dataDir)).flatMap((file) => numberOf(file, name) ?? [])
    return numbers.sort((a, b) => a - b).map((number) => asideName(name, number))
  }
  const formers = async (): Promise<string[]> => {
    const notes: string[] = []
    for (const file of await asideNames()) notes.push(await readFile(join(dataDir, file), 'utf8'))
    return notes
  }
  return {
    read,
    write: (note) => writeDurably(path, note),
    formers,
    async setAside() {
      const note = await read()
      if (note === undefined || (await formers()).includes(note)) return
      const last = numberOf((await asideNames()).at(-1) ?? '', name) ?? 0
      await writeDurably(join(dataDir, asideName(name, last + 1)), note)
    },
  }
}

/** The first has no number: there was one alone, which the next took the place of. */
const asideName = (name: string, number: number): string =>
  number === 1 ? `${name}.former` : `${name}.former.${number}`

/** Which of those that were set aside this file is; undefined: none of them. */
function numberOf(file: string, name: string): number | undefined {
  const number = file.startsWith(`${name}.former.`) ? Number(file.slice(name.length + 8)) : 1
  return Number.isSafeInteger(number) && number > 0 && asideName(name, number) === file ? number : undefined
}

async function writeDurably(path: string, note: string): Promise<void> {
  const draft = `${path}.new`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(note)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
  await syncFolder(dirname(path))
}

/** A new name is in its folder, which has to reach the disk too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
