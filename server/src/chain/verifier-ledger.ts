import type { LedgerReader } from '@befaqt/provenance'
import { LedgerMemory, rpcLedger } from '@befaqt/provenance/rpc-ledger'
import type { Chain } from './port.ts'

/** Sends what a verifier asks by HTTP to a chain in this process, or to nodes that have to agree. */
export const fetchFrom =
  (chain: Pick<Chain, 'rpc'>) =>
  async (_url: string, { body }: { body: string }): Promise<Response> => {
    const calls = JSON.parse(body) as { id: number; method: string; params: unknown[] }[]
    const answers = calls.map(async ({ id, method, params }) => ({
      ...{ jsonrpc: '2.0', id },
      result: await chain.rpc({ method, params }),
    }))
    return Response.json(await Promise.all(answers))
  }

/** The ledger as the verifier reads it, from the chain of this process. What it read is kept for the next box. */
export const verifierLedger = (chain: Chain, contract: string): LedgerReader =>
  rpcLedger('http://chain.invalid', fetchFrom(chain), { contract, memory: new LedgerMemory() })
