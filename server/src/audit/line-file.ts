import { type FileHandle, open, stat } from 'node:fs/promises'

/** What is written line by line, in order, without anybody waiting for it. */
export type Lines = {
  /** Takes a line without its end; it is dropped and counted where too many wait. */
  write(line: string): void
  /** Resolves once all that was taken is written, or could not be. */
  close(): Promise<void>
}

/** Lines that wait while a disk hangs: some megabytes. */
const MAX_WAITING = 10_000
/** After a failure the file is tried again with the next line after this. */
const RETRY_MS = 1_000

/**
 * Appends lines to a file. Where its name leads to another file or to none, since somebody moved it away, the next lines
 * begin a new one; a file that was cut to nothing is gone on with. What can't be written is dropped and counted: nothing
 * waits, and `lost` is told.
 * @param lost called with how many lines are gone so far, and why, each time that writing fails
 * @param found called with how many were lost before, once lines can be written again
 */
export function lineFile(
  path: string,
  { lost, found }: { lost(count: number, why: unknown): void; found(count: number): string },
): Lines {
  let waiting: string[] = []
  let writing: Promise<void> | undefined
  let file: FileHandle | undefined
  let missing = 0
  let retryAt = 0
  let isTorn = false

  const write = async (lines: readonly string[]): Promise<void> => {
    const again = missing > 0 ? [found(missing)] : []
    file = await current(path, file)
    const isWithin = isTorn && (await file.stat()).size > 0
    await file.appendFile(`${isWithin ? '\n' : ''}${[...again, ...lines].join('\n')}\n`)
    isTorn = false
    missing = 0
  }
  const drain = async (): Promise<void> => {
    await null // so that `writing` is this when it ends
    for (let lines = waiting; lines.length > 0; lines = waiting) {
      waiting = []
      try {
        if (Date.now() < retryAt) throw new Error('not tried again yet')
        await write(lines)
      } catch (error) {
        missing += lines.length
        // Opened anew with the next lines: it may be closed, since another stands or is to stand in its place.
        await file?.close().catch(() => undefined)
        file = undefined
        // Of a line that a full disk cut off, the rest is not there: the next one begins on a line of its own.
        isTorn = true
        if (Date.now() < retryAt) continue
        retryAt = Date.now() + RETRY_MS
        lost(missing, error)
      }
    }
    writing = undefined
  }
  return {
    write(line) {
      if (waiting.length >= MAX_WAITING) missing += 1
      else waiting.push(line)
      writing ??= drain()
    },
    async close() {
      await writing
      await file?.close().catch(() => undefined)
      file = undefined
    },
  }
}

/** The open file, if its name still leads there; else the one that is there now, or a new one, which only we can read. */
async function current(path: string, file: FileHandle | undefined): Promise<FileHandle> {
  if (file !== undefined) {
    const [ours, named] = await Promise.all([file.stat(), stat(path).catch(() => undefined)])
    if (named !== undefined && named.ino === ours.ino && named.dev === ours.dev) return file
    await file.close()
  }
  return open(path, 'a', 0o600)
}
