import { MAX_PATH_LENGTH } from './box-map.ts'
import type { ProofBundle } from './bundle.ts'
import { parsePathHash, timeOf } from './bundle-parts.ts'
import { FormatError } from './format-error.ts'
import { type BoxState, parseBoxState } from './leaf.ts'
import { type Checkpoint, digest, parseCheckpoint } from './log/checkpoint.ts'
import { MAX_NOTE, parseNote } from './log/note.ts'
import { MAX_PROOF } from './log/tree.ts'
import { type Fields, fields, hex64, integer, list, text } from './validate.ts'

/*
 * The log of anchors in a bundle: a checkpoint with what witnesses signed below it, and that it holds each anchor that the
 * bundle uses. Nothing is opened or believed here. Source: witness.md, In the bundle.
 */

/** The box in the newest anchor that the checkpoint covers, where the bundle shows it in no other place. */
export interface LoggedState {
  readonly index: number
  readonly root: string
  readonly time: string
  readonly boxes: number
  readonly records: number
  readonly leaf: BoxState
  readonly path: readonly string[]
}

export interface BundleLog {
  /** A signed note. */
  readonly checkpoint: string
  /** For each anchor that the bundle uses and the checkpoint covers, by its index: its way up to the log's root. */
  readonly inclusion: Readonly<Record<string, readonly string[]>>
  readonly state?: LoggedState
}

/** What the log says of an anchor beside its root and time. Source: protocol §4. */
export interface LoggedCounts {
  readonly boxes: number
  readonly records: number
}

/** Names of the fields of `LoggedCounts`. */
export const loggedCounts = ['boxes', 'records'] as const

const UINT32 = [0, 2 ** 32 - 1] as const

/** @throws FormatError with the path of what is wrong */
export const parseLoggedCounts = (from: Fields): LoggedCounts => ({
  boxes: integer(from, 'boxes', UINT32),
  records: integer(from, 'records', UINT32),
})

/** The log's part before the anchors are read: how many of them its checkpoint covers. */
export interface LogHead {
  readonly from: Fields
  readonly note: string
  readonly checkpoint: Checkpoint
}

/** @throws FormatError with the path of what is wrong, down to the line of a signature */
export function parseLogHead(value: unknown): LogHead {
  const from = fields(value, '$.log', ['checkpoint', 'inclusion'], ['state'])
  const note = text(from, 'checkpoint', [1, MAX_NOTE])
  const checkpoint = within('$.log.checkpoint', () => parseCheckpoint(parseNote(note).text))
  return { from, note, checkpoint }
}

/**
 * The rest of it, which has to fit the anchors of the bundle: a proof for each that the checkpoint covers, and for no
 * other; the state exactly there where none of them is that newest one.
 * @throws FormatError with the path of what is wrong
 */
export function parseLog({ from, note, checkpoint }: LogHead, bundle: ProofBundle): BundleLog {
  const { size } = checkpoint
  const state = Object.hasOwn(from.of, 'state') ? parseState(from.of.state, size) : undefined
  if (state !== undefined && !bundle.anchors.some(({ index }) => index < size))
    throw new FormatError('$.log.state', 'must not stand where the checkpoint covers no anchor of the box')
  if (state !== undefined && bundle.anchors.some(({ index }) => index === state.index))
    throw new FormatError('$.log.state', 'must not stand where an anchor of the bundle says it')
  const used = loggedIndexes(bundle, size)
  if (state !== undefined) used.add(state.index)
  const names = Array.from(used, String)
  const inclusion = fields(from.of.inclusion, '$.log.inclusion', names)
  const proofs = names.map((name) => [name, list(inclusion, name, [0, MAX_PROOF], parseHash)] as const)
  const log = { checkpoint: note, inclusion: Object.fromEntries(proofs) }
  return state === undefined ? log : { ...log, state }
}

function parseState(value: unknown, size: number): LoggedState {
  const path = '$.log.state'
  const from = fields(value, path, ['index', 'root', 'time', ...loggedCounts, 'leaf', 'path'])
  if (size === 0) throw new FormatError(path, 'must not stand where the log holds nothing')
  return {
    index: integer(from, 'index', [size - 1, size - 1]),
    root: hex64(from, 'root'),
    time: timeOf(from),
    ...parseLoggedCounts(from),
    leaf: parseBoxState(from.of.leaf, `${path}.leaf`),
    path: list(from, 'path', [0, MAX_PATH_LENGTH], parsePathHash),
  }
}

function parseHash(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new FormatError(path, 'must be 32 bytes in base64')
  within(path, () => digest(value, '$'))
  return value
}

/** What `read` makes of a part, whose paths begin where it stands. */
function within<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    throw new FormatError(path + error.path.slice(1), error.reason)
  }
}

/** Indexes of the anchors that a bundle uses, those before and those of its devices too, as far as a log of that size has them. */
export function loggedIndexes({ anchors, devices = [] }: ProofBundle, size: number): Set<number> {
  const used = new Set<number>()
  for (const all of [anchors, ...devices.map((device) => device.anchors)])
    for (const { index, before } of all)
      for (const each of before === null ? [index] : [index - 1, index])
        if (each >= 0 && each < size) used.add(each)
  return used
}
