import { isPlainObject } from './canonical.ts'
import type { RpcCall, Send } from './json-rpc.ts'
import { ANCHOR_OF_SELECTOR } from './ledger-abi.ts'

type Block = { readonly number: string; readonly hash: string }

/**
 * A node's responses about anchors: their receipts, their blocks, what the contract stores of them. It holds while the
 * newest of these blocks is on the node's chain, for its hash commits to all blocks before it. Of one node and one
 * contract; go on with it only after a check that was proven, which has then seen the block of every anchor.
 */
export class LedgerMemory {
  readonly #answers = new Map<string, unknown>()
  #newest: Block | undefined

  /** Sends only calls without a stored answer, after asking once whether the newest block is still there. For one check. */
  wrap(send: Send): Send {
    let ready: Promise<void> | undefined
    return async (calls) => {
      if (!calls.some(isLasting)) return send(calls)
      ready ??= this.#confirm(send)
      await ready
      const asked = calls.filter((call) => !this.#answers.has(keyOf(call)))
      const answers = await send(asked)
      const fresh = new Map(asked.map((call, i) => [call, answers[i]]))
      for (const [call, answer] of fresh) this.#keep(call, answer)
      return calls.map((call) => (fresh.has(call) ? fresh.get(call) : this.#answers.get(keyOf(call))))
    }
  }

  async #confirm(send: Send): Promise<void> {
    if (this.#newest === undefined) return
    const { number, hash } = this.#newest
    const [block] = await send([{ method: BLOCK, params: [number, false] }])
    if (isPlainObject(block) && block.hash === hash) return
    this.#answers.clear()
    this.#newest = undefined
  }

  #keep(call: RpcCall, answer: unknown): void {
    if (!isLasting(call) || answer === null) return
    this.#answers.set(keyOf(call), answer)
    if (call.method !== BLOCK || !isPlainObject(answer) || typeof answer.hash !== 'string') return
    const number = String(call.params[0])
    if (Number(number) > Number(this.#newest?.number ?? -1)) this.#newest = { number, hash: answer.hash }
  }
}

const BLOCK = 'eth_getBlockByNumber'

const keyOf = ({ method, params }: RpcCall): string => JSON.stringify([method, params])

/** Only what the chain appends to can change of others: how many anchors there are. */
function isLasting({ method, params: [first] }: RpcCall): boolean {
  if (method !== 'eth_call') return method === BLOCK || method === 'eth_getTransactionReceipt'
  return isPlainObject(first) && String(first.data).startsWith(ANCHOR_OF_SELECTOR)
}
