import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from './command.ts'

/** Fewer journeys than these are done before a sample shop is made. */
const WORTH_IT = 4

/** The data of a shop after its first start, of which tests in the browser start copies. */
export type SampleShop = {
  /** Waits until it is whole and answers its folder; `why`: what went wrong. */
  made(): Promise<{ folder: string } | { why: string }>
  /** Once it is made or given up. */
  remove(): Promise<void>
}

/** Are so many journeys run that making it takes less time than it saves? */
export const isWorthSampleShop = (files: readonly string[]): boolean => files.length >= WORTH_IT

/** Begins to make one, behind what else runs. @param env names the built server and pages */
export function beginSampleShop(env: NodeJS.ProcessEnv): SampleShop {
  const folder = mkdtempSync(join(tmpdir(), 'befaqt-sample-'))
  const ended = runCommand(process.execPath, ['e2e/support/make-sample-shop.ts', folder], { env })
  ended.catch(() => undefined) // told by `made`
  return {
    made: async () => {
      const { status, output } = await ended
      return status === 0 ? { folder } : { why: output.trimEnd() }
    },
    remove: async () => {
      await ended.catch(() => undefined)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
