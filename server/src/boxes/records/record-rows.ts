import type { RecordRow as ShownRow } from '@befaqt/domain/api/box-api'
import { readingLevel } from '@befaqt/domain/reading-level'
import { blockTimeText } from '@befaqt/provenance'
import { anchorOfRecord } from '#server/boxes/proof/anchor-states.ts'
import type { ReadBox, ReadRow } from '#server/boxes/whole-box.ts'

/** The record table of a box page: each record with its transaction and state as the server sees them. */
export const recordRows = ({ rows, covering }: Pick<ReadBox, 'rows' | 'covering'>): ShownRow[] =>
  rows.map((row) => {
    const anchor = anchorOfRecord(covering, row.seq)?.anchor
    return {
      seq: row.seq,
      ...shownPart(row),
      recordHash: row.recordHash,
      state: row.body === null ? 'withheld' : anchor === undefined ? 'pending' : 'anchored',
      txHash: anchor?.txHash ?? null,
      anchorIndex: anchor?.index ?? null,
      anchoredAt: anchor?.blockTime == null ? null : blockTimeText(anchor.blockTime),
    }
  })

/** What a table shows of a record's content; a withheld or damaged one keeps its kind and nothing else. */
function shownPart({
  kind: kept,
  record,
}: ReadRow): Pick<ShownRow, 'kind' | 'at' | 'by' | 'corrects' | 'level'> {
  if (record === undefined) return { kind: kept, at: '', by: '' }
  const { kind, at, by, data } = record
  return {
    kind,
    at,
    by,
    ...(typeof data.corrects === 'number' ? { corrects: data.corrects } : {}),
    ...(kind === 'tracking' && { level: readingLevel(data) }),
  }
}
