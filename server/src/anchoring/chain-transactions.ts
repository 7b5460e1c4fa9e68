import { and, asc, eq, gte, inArray, isNotNull, max, ne, notInArray, or, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Chain, Receipt, SignedTransaction } from '#server/chain/port.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { chainTransactions } from '#server/db/schema/ledger.ts'
import { type AnchoringDeps, seconds } from './anchoring.ts'

export type ChainTransaction = Omit<typeof chainTransactions.$inferSelect, 'hash' | 'raw'> & {
  hash: Hex
  raw: Hex
}
type For = { kind: 'deploy' } | { kind: 'anchor'; anchorIndex: number }

/** Stores a transaction before it is sent, so that a retry after a crash sends the same one. */
export async function saveSigned(
  tx: Tx,
  deps: AnchoringDeps,
  signed: SignedTransaction,
  what: For,
): Promise<void> {
  const chainId = await deps.chain.chainId()
  const blockTime = deps.chain.kind === 'embedded' ? await nextBlockTime(tx, chainId, deps.now()) : null
  await tx
    .insert(chainTransactions)
    .values({ ...signed, ...what, chainId, blockTime, state: 'signed', createdAt: deps.now() })
}

/** Block times of the embedded chain are stored, so that a replay has the same ones; they never decrease. */
async function nextBlockTime(tx: Tx, chainId: number, now: Date): Promise<number> {
  const [last] = await tx
    .select({ time: max(chainTransactions.blockTime) })
    .from(chainTransactions)
    .where(eq(chainTransactions.chainId, chainId))
  return Math.max(seconds(now), last?.time ?? 0)
}

/** Transactions of one anchor, or of the deployment, that are or may still get into a block; oldest first. */
export async function pendingTransactions(db: Db, chainId: number, what: For): Promise<ChainTransaction[]> {
  const found = await db
    .select()
    .from(chainTransactions)
    .where(
      and(
        eq(chainTransactions.chainId, chainId),
        eq(chainTransactions.kind, what.kind),
        what.kind === 'anchor' ? eq(chainTransactions.anchorIndex, what.anchorIndex) : undefined,
        inArray(chainTransactions.state, ['signed', 'sent', 'confirmed']),
      ),
    )
    .orderBy(asc(chainTransactions.createdAt), asc(chainTransactions.nonce))
  return found as ChainTransaction[]
}

export async function setTransactionState(
  db: Db | Tx,
  hash: string,
  state: ChainTransaction['state'],
): Promise<void> {
  await db.update(chainTransactions).set({ state }).where(eq(chainTransactions.hash, hash))
}

/** Stores the block of a transaction; others with its nonce can no longer get into one. */
export async function markMined(db: Db | Tx, mined: ChainTransaction, where: Receipt): Promise<void> {
  const { blockNumber, blockTime } = where
  await db
    .update(chainTransactions)
    .set({ state: 'confirmed', blockNumber, blockTime })
    .where(eq(chainTransactions.hash, mined.hash))
  await db
    .update(chainTransactions)
    .set({ state: 'replaced' })
    .where(and(sameNonce(mined), ne(chainTransactions.hash, mined.hash)))
}

/** After a reorganisation any transaction with this nonce may be mined again. */
export async function markUnmined(db: Db | Tx, hash: string): Promise<void> {
  const [lost] = await db.select().from(chainTransactions).where(eq(chainTransactions.hash, hash))
  if (lost === undefined) return
  await db
    .update(chainTransactions)
    .set({ state: 'sent', blockNumber: null })
    .where(and(sameNonce(lost), ne(chainTransactions.state, 'dropped')))
}

const sameNonce = ({ chainId, nonce, kind, anchorIndex }: Omit<ChainTransaction, 'hash' | 'raw'>) =>
  and(
    eq(chainTransactions.chainId, chainId),
    eq(chainTransactions.nonce, nonce),
    eq(chainTransactions.kind, kind),
    sql`${chainTransactions.anchorIndex} is not distinct from ${anchorIndex}`,
  )

/** Transactions per query: an anchor's has about 400 bytes. */
const PAGE = 500

/**
 * Brings an embedded chain up to date with the database: sends the signed transactions in order, each with its stored
 * block time. The same transactions give the same hashes, blocks and times. Returns how many were sent. Safe to call
 * concurrently.
 * @throws TransactionRejected when the stored transactions don't fit this chain
 */
async function replay(db: Db, chain: Chain): Promise<number> {
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

/** Brings an embedded chain up to date before it is read: another process may have anchored. */
export async function syncEmbeddedChain({ db, chain }: { db: Db; chain: Chain }): Promise<void> {
  if (chain.kind === 'embedded') await replay(db, chain)
}
