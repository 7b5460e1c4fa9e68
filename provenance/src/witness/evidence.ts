import type { Followed, ShopAnchors } from '../audit/audit.ts'
import type { Finding } from '../audit/audit-state.ts'
import type { AuditedMap } from '../audit/follow-anchor.ts'
import { type MapNodes, proveBox } from '../box-map.ts'
import { textOf } from '../digest.ts'
import type { LoggedAnchor } from '../leaf.ts'
import { toBase64 } from '../log/note.ts'
import type { ShownLog } from '../log/read-log.ts'
import { proveInclusion } from '../log/tree.ts'

/*
 * What is kept of an anchor that does not add up, for whoever asks: made so that it can be checked without the witness.
 * The log's signature, that it holds both entries, and of each box its state in both maps, proven under their roots.
 */

const FORMAT = 'befaqt-evidence/1'
/** Boxes, and hashes of records of each, that are told: more say no more. */
const MAX_BOXES = 20
const MAX_RECORDS = 100
const MAX_FINDINGS = 100

interface Found {
  readonly index: number
  readonly findings: readonly Finding[]
  /** Undefined: the entry is no anchor. */
  readonly anchor: LoggedAnchor | undefined
  readonly followed: Followed | undefined
  readonly log: ShownLog
  readonly shop: Pick<ShopAnchors, 'changesAt'>
  /** The map before. */
  readonly map: AuditedMap
}

/** About an anchor, as JSON: less than 500 kB. */
export async function evidenceOfAnchor(found: Found): Promise<string> {
  const { index, findings, log, followed } = found
  const named = [...new Set(findings.flatMap(({ box }) => box ?? []))].slice(0, MAX_BOXES)
  const told = await recordsOf(found, named)
  const before = found.map.nodes()
  const after = found.map.nodes(followed?.step)
  const boxes = named.map((box) => ({
    box,
    before: proveBox(before, found.map.root, box),
    after: followed?.gone?.box === box ? followed.gone.absence : stateAfter(after, followed, box),
    records: told.get(box) ?? [],
  }))
  return JSON.stringify({
    format: FORMAT,
    index,
    findings: findings.slice(0, MAX_FINDINGS),
    checkpoint: log.note,
    entries: await entriesOf(found),
    rootBefore: found.map.root,
    rootTold: followed?.step.root ?? null,
    boxes,
  })
}

/** The proof after an anchor, where what the shop tells makes its root. */
function stateAfter(nodes: MapNodes, followed: Followed | undefined, box: string) {
  return followed === undefined ? null : proveBox(nodes, followed.step.root, box)
}

/** This entry and the one before, with their ways up to the signed root; without where the log does not show them. */
async function entriesOf({ index, log }: Found) {
  const { size } = log.opened.checkpoint
  const both = index === 0 ? [0] : [index - 1, index]
  const entry = async (at: number) => {
    const inclusion = (await proveInclusion(at, size, log.hash)).map(toBase64)
    const [bytes = new Uint8Array()] = await log.entries(at)
    return { index: at, entry: textOf(bytes), inclusion }
  }
  return Promise.all(both.map(entry)).catch(() => [])
}

/** Hashes of records that the shop tells of these boxes: asked once more, since they are not kept while an anchor is followed. */
async function recordsOf({ index, shop }: Found, boxes: readonly string[]): Promise<Map<string, string[]>> {
  const told = new Map<string, string[]>(boxes.map((box) => [box, []]))
  if (boxes.length === 0) return told
  try {
    for await (const { leaves } of shop.changesAt(index))
      for (const { box, records } of leaves) {
        const known = told.get(box)
        known?.push(...records.slice(0, MAX_RECORDS - known.length))
      }
  } catch {
    // what it told first is in the finding
  }
  return told
}

/** About a log that signed another tree than the one that was audited. */
export const evidenceOfFork = (size: number, note: string, words: string): string =>
  JSON.stringify({ format: FORMAT, size, findings: [{ code: 'forked', words }], checkpoint: note })
