import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What runs: version of the package, and the hash of the sources it was built from (`sources` when it was not). */
export type Build = { version: string; build: string; node: string }

/** Read once; says `sources` where nothing was built. */
export function readBuild(): Build {
  const manifest: { version: string } = JSON.parse(read('../../package.json') ?? '{"version":"unknown"}')
  const isBuilt = /[\\/]dist[^\\/]*[\\/][^\\/]+\.js$/.test(process.argv[1] ?? '')
  const hash = isBuilt ? read('../../dist/.built') : undefined
  return { version: manifest.version, build: hash?.slice(0, 12) ?? 'sources', node: process.versions.node }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')
  } catch {
    return undefined
  }
}
