import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file beside the builds with the name of the newest one, written by tools/build-folders.ts. */
const NEWEST = 'newest'

/**
 * The folder of one build of the pages: the newest in `webDist`, or `webDist` itself when it is a build. Call it once at
 * the start: a build never changes, newer ones are made beside it.
 */
export function builtPages(webDist: string): string {
  const note = join(webDist, NEWEST)
  return existsSync(note) ? join(webDist, readFileSync(note, 'utf8').trim()) : webDist
}
