import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isStorageFull } from '#server/http/errors.ts'

const run = promisify(execFile)

/** A small disk of a test's own; `why` where this user can't mount one. */
export async function smallDisk(megabytes: number) {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-disk-'))
  const gone = () => rm(folder, { recursive: true, force: true })
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  } catch (error) {
    await gone()
    return { why: `no small disk can be mounted here: ${error instanceof Error ? error.message : error}` }
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    /** Writes until nothing more fits. */
    fill: async (): Promise<void> => {
      const full = await writeFile(filler, Buffer.alloc(megabytes * 1024 * 1024)).catch((e: unknown) => e)
      assert.ok(isStorageFull(full))
    },
    empty: () => rm(filler),
    /** From now on it can't be written. */
    lock: () => run('mount', ['-o', 'remount,ro', folder]),
    [Symbol.asyncDispose]: async () => {
      await run('umount', ['--lazy', folder])
      await gone()
    },
  }
}
