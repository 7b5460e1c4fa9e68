import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What runs: version of the package, and the hash of the sources it was built from (`sources` when it was not). */
export type Build = { version: string; build: string; node: string }

/** The folder of a build is named after its sources; its other end is tools/builds.ts. */
const BUILT = /[\\/]dist[\\/]([0-9a-f]{16})[\\/][^\\/]+\.js$/

/** @param program the file that Node was started with */
export function readBuild(program = process.argv[1] ?? ''): Build {
  const { version }: { version: string } = JSON.parse(
    readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8'),
  )
  return { version, build: BUILT.exec(program)?.[1] ?? 'sources', node: process.versions.node }
}
