import { type AnchorFacts, anchorFacts, parseAnchorFacts } from './bundle-parts.ts'
import { canonicalize } from './canonical.ts'
import { FormatError } from './format-error.ts'
import { type BoxState, compareBoxes, parseBoxState } from './leaf.ts'
import { MAX_ID_LENGTH } from './record.ts'
import { fields, list, text } from './validate.ts'

/**
 * What changed at an anchor: from these alone an auditor follows the map. Large ones come in pages: `next` names the
 * last box of this page, after which the next one begins; the last page has none. Source: protocol §5.
 */
export interface AnchorChanges extends AnchorFacts {
  /** The new states, in the order of the boxes' UTF-8 bytes. */
  readonly leaves: readonly BoxState[]
  readonly next?: string
}

/** Most leaves on one page. */
export const MAX_CHANGES = 10_000

/** A page of changes with exactly these fields. @throws FormatError with the path of the first thing that is wrong */
export function parseAnchorChanges(value: unknown): AnchorChanges {
  const copy: unknown = JSON.parse(canonicalize(value))
  const from = fields(copy, '$', [...anchorFacts, 'leaves'], ['next'])
  const leaves = list(from, 'leaves', [0, MAX_CHANGES], parseBoxState)
  for (const [i, { box }] of leaves.entries()) {
    const before = leaves[i - 1]
    if (before !== undefined && compareBoxes(before.box, box) >= 0)
      throw new FormatError(`$.leaves[${i}].box`, 'must come after the box before it')
  }
  if (!Object.hasOwn(from.of, 'next')) return { ...parseAnchorFacts(from), leaves }
  const next = text(from, 'next', [1, MAX_ID_LENGTH])
  if (next !== leaves.at(-1)?.box) throw new FormatError('$.next', 'must be the last box of this page')
  return { ...parseAnchorFacts(from), leaves, next }
}
