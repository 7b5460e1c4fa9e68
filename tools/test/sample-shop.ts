import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from './command.ts'

/** With fewer journeys, making a sample shop takes longer than it saves. */
const WORTH_IT = 4

/** The data of a shop after its first start, which browser tests copy. */
export type SampleShop = AsyncDisposable & {
  /** Waits until it is complete and returns its folder; `why`: the error. */
  made(): Promise<{ folder: string } | { why: string }>
}

/** Are there enough journeys for a sample shop to save time? */
export const isWorthSampleShop = (files: readonly string[]): boolean => files.length >= WORTH_IT

/** Starts making one in the background. @param env names the built server and pages */
export function beginSampleShop(env: NodeJS.ProcessEnv): SampleShop {
  const folder = mkdtempSync(join(tmpdir(), 'befaqt-sample-'))
  const ended = runCommand(process.execPath, ['e2e/support/make-sample-shop.ts', folder], { env })
  ended.catch(() => undefined) // reported by `made`
  return {
    made: async () => {
      const { status, output } = await ended
      return status === 0 ? { folder } : { why: output.trimEnd() }
    },
    [Symbol.asyncDispose]: async () => {
      await ended.catch(() => undefined)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
