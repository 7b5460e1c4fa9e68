import { canonicalBytes, parseJsonText } from './canonical.ts'
import { hexOf, textOf, utf8 } from './digest.ts'
import { FormatError } from './format-error.ts'
import type { LedgerAnchor } from './ledger.ts'
import { MAX_COUNT, MAX_ID_LENGTH } from './record.ts'
import { blockTimeSeconds, blockTimeText, fields, flag, hex64, integer, text } from './validate.ts'

/** How far a box's history has come; what one leaf of an anchor says. Source: protocol §3 and §4. */
export interface BoxState {
  readonly box: string
  readonly count: number
  /** head(count), hex. */
  readonly head: string
  readonly sealed: boolean
}

/** UTF-8(JCS(state)): the bytes that go into the tree. The tree adds its own prefix. Source: protocol §4. */
export const anchorLeaf = ({ box, count, head, sealed }: BoxState): Uint8Array =>
  canonicalBytes({ box, count, head, sealed })

/** Order of the leaves: by the UTF-8 bytes of `box`. For Array.sort. Source: protocol §4. */
export function compareBoxes(a: string, b: string): number {
  const left = utf8(a)
  const right = utf8(b)
  const differs = left.findIndex((byte, i) => byte !== right[i])
  return differs === -1 ? left.length - right.length : (left[differs] ?? 0) - (right[differs] ?? -1)
}

/** A leaf with exactly its four fields. @throws FormatError with the path of what is wrong */
export function parseBoxState(value: unknown, path = '$'): BoxState {
  const from = fields(value, path, ['box', 'count', 'head', 'sealed'])
  return {
    box: text(from, 'box', [1, MAX_ID_LENGTH]),
    count: integer(from, 'count', [1, MAX_COUNT]),
    head: hex64(from, 'head'),
    sealed: flag(from, 'sealed'),
  }
}

/** What one leaf of the anchors' log says: an anchor as the contract holds it. */
export interface LoggedAnchor extends LedgerAnchor {
  readonly index: number
}

/** UTF-8(JCS(anchor)), its time as text: the entry of the anchors' log that has the anchor's index. */
export const anchorEntry = ({ boxes, index, records, root, time }: LoggedAnchor): Uint8Array =>
  canonicalBytes({ boxes, index, records, root, time: blockTimeText(time) })

const UINT32 = [0, 2 ** 32 - 1] as const

/** The anchor that an entry of the log says. @throws FormatError for anything but what `anchorEntry` writes */
export function parseAnchorEntry(bytes: Uint8Array): LoggedAnchor {
  const from = fields(parseJsonText(textOf(bytes)), '$', ['boxes', 'index', 'records', 'root', 'time'])
  const time = blockTimeSeconds(text(from, 'time', [20, 20]))
  if (time === undefined) throw new FormatError('$.time', 'must be a time like 2026-11-21T01:02:03Z')
  const anchor = {
    boxes: integer(from, 'boxes', UINT32),
    index: integer(from, 'index', [0, Number.MAX_SAFE_INTEGER]),
    records: integer(from, 'records', UINT32),
    root: hex64(from, 'root'),
    time,
  }
  if (hexOf(anchorEntry(anchor)) !== hexOf(bytes)) throw new FormatError('$', 'must be canonical JSON')
  return anchor
}
