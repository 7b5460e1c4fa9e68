import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { buildManifest, hashOfText } from '@befaqt/provenance/log/builds'

/** What this process has its visitors run. */
export type PagesBuild = {
  /** `SHA-256  path` of every file, in lines. */
  manifest: string
  /** SHA-256 of the manifest, hex. */
  build: string
  /** SHA-256 of check.html, hex; null: it has none. */
  checker: string | null
  version: string
}

const CHECKER = 'check.html'
const decoders = { '.br': brotliDecompressSync, '.gz': gunzipSync } as const

/**
 * Reads all that the pages of a build load, as it is on the disk now. What is sent compressed is the same once it is
 * decoded, or is a file of its own in the manifest, which then is that of no other build. Undefined: nothing is built there.
 */
export async function readPagesBuild(webDist: string): Promise<PagesBuild | undefined> {
  const root = join(webDist, 'client')
  const names = namesIn(root)
  if (names.length === 0) return undefined
  const hashes = new Map<string, string>()
  for (const name of names) hashes.set(name, sha256(decoded(name, await readFile(join(root, name)))))
  const files = [...hashes].filter(([name, hash]) => hash !== hashes.get(plain(name)) || plain(name) === name)
  const manifest = buildManifest(files.map(([path, hash]) => ({ path: `/${path}`, hash })))
  return {
    manifest,
    build: hashOfText(manifest),
    checker: hashes.get(CHECKER) ?? null,
    version: versionOf(),
  }
}

/** Files below a folder, with `/` between their parts; nothing of what the bundler notes for itself. */
function namesIn(root: string): string[] {
  try {
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('.vite'))
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(root.length + 1)
          .replaceAll('\\', '/'),
      )
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

const coding = (name: string): '.br' | '.gz' | undefined =>
  name.endsWith('.br') ? '.br' : name.endsWith('.gz') ? '.gz' : undefined
const plain = (name: string): string => (coding(name) === undefined ? name : name.slice(0, -3))

/** What a browser makes of it; a file that can't be decoded is taken as it is. */
function decoded(name: string, bytes: Buffer): Buffer {
  const how = coding(name)
  try {
    return how === undefined ? bytes : decoders[how](bytes)
  } catch {
    return bytes
  }
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const versionOf = (): string =>
  (JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version
