import { and, asc, eq, gte, isNotNull, notInArray, or } from 'drizzle-orm'
import type { Chain } from '#server/chain/port.ts'
import type { Db } from '#server/db/client.ts'
import { chainTransactions } from '#server/db/schema/ledger.ts'
import type { ChainTransaction } from './chain-transactions.ts'

/** Transactions per query: an anchor's has about 400 bytes. */
const PAGE = 500

/**
 * Brings an embedded chain up to date with the database: sends the signed transactions in order, each with its stored
 * block time. The same transactions give the same hashes, blocks and times. Returns how many were sent. Safe to call
 * concurrently.
 * @throws TransactionRejected when the stored transactions don't fit this chain
 */
export async function replay(db: Db, chain: Chain): Promise<number> {
  const chainId = await chain.chainId()
  for (let sent = 0; ; ) {
    const missing = await transactionsFrom(db, chainId, await chain.nonce('latest'))
    for (const { raw, blockTime } of missing) await chain.send(raw, blockTime ?? 0)
    sent += missing.length
    if (missing.length < PAGE) return sent
  }
}

async function transactionsFrom(db: Db, chainId: number, nonce: number): Promise<ChainTransaction[]> {
  const found = await db
    .select()
    .from(chainTransactions)
    .where(
      and(
        eq(chainTransactions.chainId, chainId),
        gte(chainTransactions.nonce, nonce),
        or(
          notInArray(chainTransactions.state, ['replaced', 'dropped']),
          isNotNull(chainTransactions.blockNumber), // reverted, but it has a block and used its nonce
        ),
      ),
    )
    .orderBy(asc(chainTransactions.nonce))
    .limit(PAGE)
  return found as ChainTransaction[]
}
