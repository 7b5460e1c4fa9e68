import { type Digest, fromHex, genesisHead, headAfter, isHexDigest, toHex } from '@befaqt/provenance'
import type { BundleAnchor } from '@befaqt/provenance/bundle'
import { reasonMessages, recordMessages } from '@befaqt/provenance/messages'
import type { BoxResult, RecordResult } from '@befaqt/provenance/verdict'

/** What was checked, as far as it matters here. Only given after the verifier accepted its shape. */
type CheckedBundle = { box: string; anchors: readonly BundleAnchor[] }

/**
 * Tells which records of a broken history were altered. The verifier alone can only say between which anchors; the
 * page also lists a fingerprint for each record. Where these lead to the heads that the ledger holds they are the true
 * ones, for nobody can find others that do, and a record that does not have its true fingerprint is an altered one.
 * Answers `result` unchanged where that can't be told.
 * @param hashes fingerprints that the page lists, in the order of `seq` from 1
 */
export function pinpoint(
  result: BoxResult,
  { box, anchors }: CheckedBundle,
  hashes: readonly string[],
): BoxResult {
  const onlyHeads = result.reasons.length > 0 && result.reasons.every(({ code }) => code === 'head_mismatch')
  const known = anchors.filter(({ leaf }) => leaf.count <= hashes.length)
  const last = known.at(-1)?.leaf.count ?? 0
  if (!onlyHeads || !hashes.every(isHexDigest) || !leadToAnchors(box, known, hashes)) return result
  const isAltered = ({ seq, recordHash }: RecordResult) => seq <= last && hashes[seq - 1] !== recordHash
  const altered = result.records.filter(isAltered)
  if (altered.length === 0) return result
  return {
    ...result,
    records: result.records.map((record) => (isAltered(record) ? changed(record) : cleared(record, known))),
    reasons: altered.map(({ seq }) => ({ code: 'head_mismatch', seq, words: changedMessage(seq) })),
  }
}

function leadToAnchors(box: string, anchors: readonly BundleAnchor[], hashes: readonly string[]): boolean {
  const heads: Digest[] = [genesisHead(box)]
  for (const hash of hashes) heads.push(headAfter(heads.at(-1) ?? genesisHead(box), fromHex(hash)))
  return anchors.every(({ leaf }) => {
    const head = heads[leaf.count]
    return head !== undefined && toHex(head) === leaf.head
  })
}

const changedMessage = (seq: number): string => reasonMessages.head_mismatch(`record ${seq}`)

const changed = (record: RecordResult): RecordResult => ({ ...record, words: changedMessage(record.seq) })

/** It was only broken by the company it kept. */
function cleared(record: RecordResult, anchors: readonly BundleAnchor[]): RecordResult {
  if (record.verdict !== 'broken') return record
  const proving = anchors.find(({ leaf }) => leaf.count >= record.seq)
  if (!proving) return record
  const { index, txHash, blockNumber, time } = proving
  const verdict = record.withheld ? 'withheld' : 'anchored'
  return {
    ...record,
    verdict,
    code: verdict,
    words: recordMessages[verdict],
    anchor: { index, txHash, blockNumber, time },
  }
}
