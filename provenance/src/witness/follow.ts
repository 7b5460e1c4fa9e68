import { addRequestText } from '../log/add-checkpoint.ts'
import type { ShownLog } from '../log/read-log.ts'
import { proveConsistency } from '../log/tree.ts'
import type { Reply, Witness } from './witness.ts'

/**
 * Makes the proof that a log's newest checkpoint continues ours from its own tiles, and hands both to the witness, as the
 * log itself could. @throws Error when the log's tiles can't be read
 */
export async function followOnce(witness: Witness, { note, opened, hash }: ShownLog): Promise<Reply> {
  const { size } = opened.checkpoint
  const old = witness.size
  if (size < old) throw new Error(`the log shows ${size} entries, and it had ${old}`)
  return witness.add(addRequestText({ old, proof: await proveConsistency(old, size, hash), note }))
}
