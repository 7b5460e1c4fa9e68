import { networkChain } from '#server/chain/open-chain.ts'
import type { Chain, JsonRpc } from '#server/chain/port.ts'
import { overHttp } from './edr-over-http.ts'
import { privateKey, testNetwork } from './network.ts'

/** What a node answers instead of the truth; undefined: the truth. */
export type Lie = (request: Parameters<JsonRpc>[0], truth: JsonRpc) => Promise<unknown> | undefined

/** One network behind so many nodes, each of which may lie. @param timeoutMs of a call */
export async function severalNodes(count: number, timeoutMs = 60_000) {
  const network = await testNetwork()
  const lies: (Lie | undefined)[] = Array.from({ length: count })
  const truth: JsonRpc = (request) => network.node.rpc(request)
  const doors = await Promise.all(
    lies.map((_, i) => overHttp((request) => lies[i]?.(request, truth) ?? truth(request))),
  )
  const chain = networkChain(
    doors.map(({ url }) => url),
    privateKey,
    1,
    timeoutMs,
  )
  return {
    network,
    lies,
    doors,
    chain,
    async [Symbol.asyncDispose]() {
      for (const door of doors) await door[Symbol.asyncDispose]()
      await network[Symbol.asyncDispose]()
    },
  }
}

/** What is wrong with each, by what it was asked last. */
export const faults = (chain: Chain): string[] =>
  (chain.nodes?.() ?? []).flatMap(({ place, fault }) => (fault === null ? [] : [`${place} ${fault}`]))

/** Answers one method so, and the others rightly. */
export const isWrong =
  (wrong: string, answer: unknown): Lie =>
  ({ method }) =>
    method === wrong ? Promise.resolve(answer) : undefined
