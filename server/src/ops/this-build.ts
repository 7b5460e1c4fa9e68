import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ShopHealth } from '@befaqt/domain/api/manage-api'

/** What is running: the package's version, and the hash of the sources it was built from (`sources`: not built). */
export type Build = ShopHealth['runs']

/** The folder of a build is named after the hash of its sources, by tools/builds.ts. */
const BUILT = /[\\/]dist[\\/]([0-9a-f]{16})[\\/][^\\/]+\.js$/

/** @param program the file that Node runs */
function readBuild(program = process.argv[1] ?? ''): Build {
  const { version }: { version: string } = JSON.parse(
    readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8'),
  )
  return { version, build: BUILT.exec(program)?.[1] ?? 'sources', node: process.versions.node }
}

/** What this process runs. */
export const thisBuild = readBuild()
