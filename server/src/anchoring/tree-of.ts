import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { anchorLeaf, type BoxState, type MerkleTree, treeInSteps } from '@befaqt/provenance'

/**
 * Builds the tree over these states, in this order. Yields to the event loop: hashing 100,000 boxes takes half a second.
 */
export async function treeOf(states: readonly BoxState[]): Promise<MerkleTree> {
  const steps = treeInSteps(states.length, (index) => leafOf(states[index]))
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await yieldToEventLoop()
  }
}

function leafOf(state: BoxState | undefined): Uint8Array {
  if (state === undefined) throw new RangeError('leaf index out of range')
  return anchorLeaf(state)
}
