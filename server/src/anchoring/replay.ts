import { and, asc, eq, gte, isNotNull, notInArray, or } from 'drizzle-orm'
import type { Chain } from '#server/chain/port.ts'
import type { Db } from '#server/db/client.ts'
import { chainTransactions } from '#server/db/schema/ledger.ts'
import type { ChainTransaction } from './chain-transactions.ts'

/** Transactions read at once: an anchor's is some 400 bytes. */
const PAGE = 500

/**
 * Brings an embedded chain that knows less than the database up to date: sends what was signed, in order, each with
 * the block time that was planned for it. The same transactions give the same hashes, blocks and times. Answers how
 * many were sent. Several callers at once do no harm.
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
          isNotNull(chainTransactions.blockNumber), // reverted, but it has its block and its nonce
        ),
      ),
    )
    .orderBy(asc(chainTransactions.nonce))
    .limit(PAGE)
  return found as ChainTransaction[]
}
