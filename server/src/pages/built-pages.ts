import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Beside the builds: the name of the newest one. Its other end is tools/build-folders.ts. */
const NEWEST = 'newest'

/**
 * The folder of one build of the pages: the newest of those in `webDist`, or `webDist` when it is one itself. To be asked
 * once at the start: the build stays as it is while newer ones are made beside it.
 */
export function builtPages(webDist: string): string {
  const note = join(webDist, NEWEST)
  return existsSync(note) ? join(webDist, readFileSync(note, 'utf8').trim()) : webDist
}
