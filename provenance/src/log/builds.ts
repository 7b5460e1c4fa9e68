import { canonicalBytes, parseJsonText } from '../canonical.ts'
import { hashOf, hexOf, textOf, utf8 } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import { fields, hex64, text } from '../validate.ts'
import type { OpenedCheckpoint } from './signed-checkpoint.ts'
import { type LogTiles, readEntries } from './tiles.ts'

/*
 * The log of what a shop has its visitors run: each build of its pages, and each checker in one file. Whoever got a script
 * that is not in it was given one of his own. Source: witness.md, Two logs.
 */

/** Of which log it is: this after the name of the log of anchors. */
export const BUILDS = '-builds'

/** `build`: the manifest of all that the pages load. `checker`: the file check.html. */
export type BuildKind = 'build' | 'checker'

/** An entry of the log. */
export interface BuildEntry {
  readonly kind: BuildKind
  /** SHA-256, hex. */
  readonly hash: string
  /** For people: the shop's word. */
  readonly version: string
}

const MAX_VERSION = 64

/** UTF-8(JCS({"build": hash, "version": version})), or the same with `checker`. */
export const buildEntry = ({ kind, hash, version }: BuildEntry): Uint8Array =>
  canonicalBytes({ [kind]: hash, version })

/** @throws FormatError for anything but what `buildEntry` writes */
export function parseBuildEntry(bytes: Uint8Array): BuildEntry {
  const value = parseJsonText(readText(bytes))
  const kind = typeof value === 'object' && value !== null && 'checker' in value ? 'checker' : 'build'
  const from = fields(value, '$', [kind, 'version'])
  const entry = { kind, hash: hex64(from, kind), version: text(from, 'version', [1, MAX_VERSION]) } as const
  if (/\p{Cc}/u.test(entry.version)) throw new FormatError('$.version', 'must hold no control characters')
  if (hexOf(buildEntry(entry)) !== hexOf(bytes)) throw new FormatError('$', 'must be canonical JSON')
  return entry
}

function readText(bytes: Uint8Array): string {
  try {
    return textOf(bytes)
  } catch {
    throw new FormatError('$', 'must be UTF-8 text')
  }
}

/** A file that pages load, by its path below the shop's address. */
export interface BuiltFile {
  readonly path: string
  /** SHA-256 of its bytes, hex. */
  readonly hash: string
}

/** The manifest of a build, sorted by the bytes of its lines: `SHA-256  path`, as `sha256sum` writes and checks it. */
export const buildManifest = (files: readonly BuiltFile[]): string =>
  files
    .map(({ path, hash }) => `${hash}  ${path}\n`)
    .sort((a, b) => (a < b ? -1 : 1))
    .join('')

/** SHA-256 of a text, hex: of a manifest, its build. */
export const hashOfText = (text: string): string => hexOf(hashOf(utf8(text)))

/** More builds than this are not read. */
const MAX_BUILDS = 65_536

/**
 * All entries of a builds' log, which are those of its signed checkpoint. Rejects with another error where the log does not
 * show them. @throws FormatError where one that it signed is no build
 */
export async function readBuilds(
  { checkpoint }: Pick<OpenedCheckpoint, 'checkpoint'>,
  log: Pick<LogTiles, 'entries'>,
): Promise<BuildEntry[]> {
  const read = await readEntries(checkpoint, log, MAX_BUILDS)
  return read.map((entry, i) => {
    try {
      return parseBuildEntry(entry)
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      throw new FormatError(`$[${i}]${error.path.slice(1)}`, error.reason)
    }
  })
}
