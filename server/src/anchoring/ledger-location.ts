import { and, eq } from 'drizzle-orm'
import type { Chain, LedgerLocation } from '#server/chain/port.ts'
import type { Db } from '#server/db/client.ts'
import { chainTransactions, ledgers } from '#server/db/schema/ledger.ts'

/**
 * Where the ledger can be read, from the database, so that it is known while the chain is unreachable.
 * @param rpc public JSON-RPC URL of the chain
 */
export function ledgerLocation(db: Db, chain: Chain, rpc: string): LedgerLocation {
  const embedded = chain.kind === 'embedded'
  let found: { chainId: number; contract: string } | undefined
  return {
    async locate() {
      found ??= await deployedLedger(db)
      const chainId = found?.chainId ?? (await chain.chainId())
      return { chainId, embedded, rpc, contract: found?.contract ?? null }
    },
  }
}

/** A ledger named by the settings, or one whose deployment is in a block. */
async function deployedLedger(db: Db): Promise<{ chainId: number; contract: string } | undefined> {
  const known = await db
    .select({
      chainId: ledgers.chainId,
      contract: ledgers.contract,
      by: ledgers.deployedBy,
      state: chainTransactions.state,
    })
    .from(ledgers)
    .leftJoin(chainTransactions, and(eq(chainTransactions.hash, ledgers.deployedBy)))
  return known.find(({ by, state }) => by === null || state === 'confirmed')
}
