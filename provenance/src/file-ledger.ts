import { jsonCopy } from './canonical.ts'
import { FormatError } from './format-error.ts'
import { type AnchorEvent, byTransaction, LedgerError, type LedgerReader } from './ledger.ts'
import { MAX_COUNT } from './record.ts'
import {
  blockTimeSeconds,
  blockTimeText,
  fields,
  hex64,
  integer,
  list,
  literal,
  matching,
  text,
} from './validate.ts'

/** One anchor of an export, with the transaction that made it. */
export interface ExportedAnchor extends AnchorEvent {
  readonly txHash: string
}

/**
 * Anchors copied from the contract, for checking without a network. On disk `blockTime` is `time`, written like
 * `2026-11-21T01:02:03Z`. `count` is what the contract held when it was read; a file may hold some anchors only,
 * in rising order.
 */
export interface AnchorFile {
  readonly chainId: number
  readonly contract: string
  readonly count: number
  readonly anchors: readonly ExportedAnchor[]
}

const UINT32 = [0, 2 ** 32 - 1] as const
const WHOLE = [0, Number.MAX_SAFE_INTEGER] as const

/** Format `befaqt-anchors/1`, every field in its range and nothing else. @throws FormatError with the path */
export function parseAnchorFile(value: unknown): AnchorFile {
  const from = fields(jsonCopy(value), '$', ['format', 'chainId', 'contract', 'count', 'anchors'])
  literal(from, 'format', 'befaqt-anchors/1')
  const file = {
    chainId: integer(from, 'chainId', [1, Number.MAX_SAFE_INTEGER]),
    contract: matching(from, 'contract', /^0x[0-9a-f]{40}$/, '0x and 40 lower-case hex characters'),
    count: integer(from, 'count', WHOLE),
    anchors: list(from, 'anchors', [0, 10 * MAX_COUNT], parseExportedAnchor),
  }
  file.anchors.forEach(({ index }, i) => {
    const rising = index > (file.anchors[i - 1]?.index ?? -1) && index < file.count
    if (!rising) throw new FormatError(`$.anchors[${i}].index`, 'must rise and stay below count')
  })
  return file
}

function parseExportedAnchor(value: unknown, path: string): ExportedAnchor {
  const from = fields(value, path, ['index', 'root', 'time', 'boxes', 'records', 'txHash', 'blockNumber'])
  const blockTime = blockTimeSeconds(text(from, 'time', [20, 20]))
  if (blockTime === undefined)
    throw new FormatError(`${path}.time`, 'must be a time like 2026-11-21T01:02:03Z')
  return {
    index: integer(from, 'index', WHOLE),
    root: hex64(from, 'root'),
    blockTime,
    boxes: integer(from, 'boxes', UINT32),
    records: integer(from, 'records', UINT32),
    txHash: matching(from, 'txHash', /^0x[0-9a-f]{64}$/, '0x and 64 lower-case hex characters'),
    blockNumber: integer(from, 'blockNumber', WHOLE),
  }
}

/** The file as it is written to disk; `parseAnchorFile` reads it back. */
export function anchorFileText({ chainId, contract, count, anchors }: AnchorFile): string {
  const written = anchors.map(({ index, root, blockTime, boxes, records, txHash, blockNumber }) => {
    const time = blockTimeText(blockTime)
    return { index, root, time, boxes, records, txHash, blockNumber }
  })
  const file = { format: 'befaqt-anchors/1', chainId, contract, count, anchors: written }
  return `${JSON.stringify(file, null, 1)}\n`
}

/** Reads the ledger from an export: fully offline. What the file doesn't hold can't be checked. */
export function fileLedger({ chainId, contract, count, anchors }: AnchorFile): LedgerReader {
  const byIndex = new Map(anchors.map((anchor) => [anchor.index, anchor]))
  const made = byTransaction(anchors)
  return {
    live: false,
    identity: async () => ({ chainId, contract }),
    count: async () => count,
    anchorsOf: async (indexes) =>
      indexes.map((index) => {
        const anchor = byIndex.get(index)
        if (anchor === undefined) throw new LedgerError(`the file of anchors does not hold anchor ${index}`)
        return { root: anchor.root, time: anchor.blockTime, boxes: anchor.boxes, records: anchor.records }
      }),
    eventsOf: async (txHashes) => txHashes.map((txHash) => made.get(txHash) ?? []),
  }
}
