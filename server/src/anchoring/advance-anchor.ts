import { ledgerAbi } from '@befaqt/contract/abi'
import { and, desc, eq, gte, lt, max } from 'drizzle-orm'
import { encodeFunctionData, type Hex } from 'viem'
import { TransactionRejected } from '#server/chain/port.ts'
import { appendEvent, eventKinds } from '#server/db/events.ts'
import { anchors } from '#server/db/schema/ledger.ts'
import {
  type Anchor,
  type AnchoringDeps,
  LedgerFault,
  moveAnchor,
  NO_BLOCK,
  RECOVER,
  secondsSince,
} from './anchoring.ts'
import { pruneNodes } from './box-map.ts'
import {
  type ChainTransaction,
  markMined,
  markUnmined,
  pendingTransactions,
  saveSigned,
  setTransactionState,
} from './chain-transactions.ts'
import type { Ledger } from './ledger.ts'

type Advance = (deps: AnchoringDeps, ledger: Ledger, anchor: Anchor) => Promise<boolean>

/** Advances an anchor, by its state. Returns whether it moved. */
export const advance = {
  collected: advanceCollected,
  submitted: advanceSubmitted,
  mined: advanceMined,
  confirmed: async () => false,
} satisfies Record<Anchor['state'], Advance>

async function advanceCollected(deps: AnchoringDeps, ledger: Ledger, anchor: Anchor): Promise<boolean> {
  const held = await deps.chain.anchorCount(ledger.contract)
  if (held > anchor.index) return adoptAnchor(deps, ledger, anchor)
  if (held < anchor.index) return false // an earlier one was dropped by a reorganisation and comes first
  return signAnchor(deps, ledger, anchor)
}

/** The ledger holds this index already: an anchor of ours from after this database's backup, or a foreign one. */
async function adoptAnchor(
  { db, chain, log }: AnchoringDeps,
  ledger: Ledger,
  anchor: Anchor,
): Promise<boolean> {
  const held = await chain.anchorOf(ledger.contract, anchor.index)
  if (held?.root !== anchor.root)
    throw new LedgerFault(
      `The ledger holds another root at index ${anchor.index}: something else writes to it, or this database is older ` +
        `than the ledger. Anchoring has stopped. ${RECOVER}`,
    )
  const txHash = await chain.findAnchorTransaction(ledger.contract, anchor.index)
  const mined = txHash && (await chain.receipt(txHash))
  if (txHash === undefined || !mined?.ok) return false
  log.info({ index: anchor.index, txHash }, 'the ledger holds this anchor already')
  const { blockNumber, blockTime } = mined
  return moveAnchor(db, anchor.index, 'collected', 'mined', { txHash, blockNumber, blockTime })
}

async function advanceSubmitted(deps: AnchoringDeps, ledger: Ledger, anchor: Anchor): Promise<boolean> {
  const { db, chain, log } = deps
  const nonceUsed = await chain.nonce('latest') // before the receipts, so that a block in between is not missed
  const pending = await pendingTransactions(db, ledger.chainId, { kind: 'anchor', anchorIndex: anchor.index })
  for (const transaction of pending) {
    const mined = await chain.receipt(transaction.hash)
    if (mined === undefined) continue
    const { hash: txHash } = transaction
    const { ok, blockNumber, blockTime } = mined
    return db.transaction(async (tx) => {
      await markMined(tx, transaction, mined)
      if (ok) return moveAnchor(tx, anchor.index, 'submitted', 'mined', { txHash, blockNumber, blockTime })
      log.warn(
        { index: anchor.index, txHash },
        'the anchor transaction was reverted; checking the ledger again',
      )
      await setTransactionState(tx, txHash, 'dropped')
      return moveAnchor(tx, anchor.index, 'submitted', 'collected', { txHash: null })
    })
  }
  if (pending.every(({ nonce }) => nonce < nonceUsed)) {
    log.warn(
      { index: anchor.index },
      'the nonce of this anchor was used by another transaction; signing it again',
    )
    return db.transaction(async (tx) => {
      for (const { hash } of pending) await setTransactionState(tx, hash, 'replaced')
      return moveAnchor(tx, anchor.index, 'submitted', 'collected', { txHash: null })
    })
  }
  const accepted = await resendAnchor(deps, ledger, anchor)
  return accepted && chain.kind === 'embedded' // it mines a transaction at once
}

async function advanceMined(deps: AnchoringDeps, ledger: Ledger, anchor: Anchor): Promise<boolean> {
  const { db, chain, now } = deps
  const mined = anchor.txHash === null ? undefined : await chain.receipt(anchor.txHash as Hex)
  if (!mined?.ok) return revertToSubmitted(deps, anchor, 'mined') // reverted: another transaction anchored the root
  const { blockNumber, blockTime } = mined
  if ((await chain.blockNumber()) - blockNumber + 1 < chain.confirmations) return false
  const held = await chain.anchorOf(ledger.contract, anchor.index)
  if (held?.root !== anchor.root) return false // the node's state is behind its own receipt
  return db.transaction(async (tx) => {
    const confirmed = { blockNumber, blockTime, confirmedAt: now() }
    if (!(await moveAnchor(tx, anchor.index, 'mined', 'confirmed', confirmed))) return false
    const [older] = await tx
      .select({ index: max(anchors.index) })
      .from(anchors)
      .where(lt(anchors.index, anchor.index))
    // Proofs need the whole map of the newest anchor, and that of the previous one until a reorganisation is unlikely.
    if (older?.index != null) await pruneNodes(tx, older.index)
    await appendEvent(tx, eventKinds.anchorConfirmed, [String(anchor.index)])
    return true
  })
}

/** A reorganisation dropped the block: the same transaction is sent again. */
async function revertToSubmitted(
  { db, log }: AnchoringDeps,
  anchor: Anchor,
  from: 'mined' | 'confirmed',
): Promise<boolean> {
  log.warn({ index: anchor.index, txHash: anchor.txHash }, 'anchor reorganised away; resending it')
  return db.transaction(async (tx) => {
    if (anchor.txHash !== null) await markUnmined(tx, anchor.txHash)
    if (from === 'confirmed') await appendEvent(tx, eventKinds.anchorReverted, [String(anchor.index)])
    return moveAnchor(tx, anchor.index, from, 'submitted', NO_BLOCK)
  })
}

/** Reverts confirmed anchors that the ledger no longer holds: a reorganisation was deeper than `confirmations`. */
export async function revertReorged(deps: AnchoringDeps, ledger: Ledger): Promise<void> {
  const { db, chain } = deps
  const confirmed = eq(anchors.state, 'confirmed')
  const [newest] = await db.select().from(anchors).where(confirmed).orderBy(desc(anchors.index)).limit(1)
  if (newest === undefined) return
  const held = await chain.anchorCount(ledger.contract)
  if (held > newest.index) return
  const lost = await db
    .select()
    .from(anchors)
    .where(and(confirmed, gte(anchors.index, held)))
  for (const anchor of lost) await revertToSubmitted(deps, anchor, 'confirmed')
}

/** Call data that writes this anchor. Source: protocol §4. */
const anchorCall = ({ index, root, boxes, records }: Anchor): Hex =>
  encodeFunctionData({
    abi: ledgerAbi,
    functionName: 'anchor',
    args: [BigInt(index), `0x${root}`, boxes, records],
  })

/**
 * `collected` → `submitted`: signs the anchor's transaction and stores it before it is sent. `resendAnchor` sends it,
 * as often as needed. Returns whether the anchor moved.
 * @throws LedgerFault when the transaction would revert, which retrying can't fix
 */
export async function signAnchor(deps: AnchoringDeps, ledger: Ledger, anchor: Anchor): Promise<boolean> {
  const { db, chain } = deps
  const wanted = { to: ledger.contract, data: anchorCall(anchor), nonce: await chain.nonce('pending') }
  const signed = await chain.sign(wanted).catch((error: unknown) => {
    if (!(error instanceof TransactionRejected)) throw error
    throw new LedgerFault(`The chain rejects anchor ${anchor.index}: ${error.message}`)
  })
  return db.transaction(async (tx) => {
    await deps.checkLead(tx)
    if (!(await moveAnchor(tx, anchor.index, 'collected', 'submitted', { txHash: signed.hash }))) return false
    await saveSigned(tx, deps, signed, { kind: 'anchor', anchorIndex: anchor.index })
    return true
  })
}

/**
 * Sends the newest transaction of a submitted anchor again: it may never have been sent, or the node may have dropped
 * it. One that is in no block after `feeBumpAfterS` is replaced by one with the same nonce and a higher fee; only one
 * of them can get into a block. Returns whether the chain accepted it.
 */
async function resendAnchor(deps: AnchoringDeps, ledger: Ledger, anchor: Anchor): Promise<boolean> {
  const pending = await pendingTransactions(deps.db, ledger.chainId, {
    kind: 'anchor',
    anchorIndex: anchor.index,
  })
  const newest = pending.at(-1)
  if (newest === undefined) return false
  const waited = secondsSince(newest.createdAt, deps.now())
  const waitsTooLong = deps.chain.kind === 'network' && waited >= deps.feeBumpAfterS
  return send(deps, waitsTooLong ? await bumpFee(deps, ledger, anchor, newest) : newest)
}

async function bumpFee(
  deps: AnchoringDeps,
  ledger: Ledger,
  anchor: Anchor,
  { raw, nonce, hash }: ChainTransaction,
): Promise<Pick<ChainTransaction, 'raw' | 'hash' | 'blockTime'>> {
  const signed = await deps.chain.sign({
    to: ledger.contract,
    data: anchorCall(anchor),
    nonce,
    replaces: raw,
  })
  const what = { kind: 'anchor', anchorIndex: anchor.index } as const
  await deps.db.transaction(async (tx) => {
    await deps.checkLead(tx)
    await saveSigned(tx, deps, signed, what)
  })
  deps.log.warn(
    { index: anchor.index, txHash: hash, by: signed.hash },
    'the anchor transaction is still in no block; raising its fee',
  )
  return { ...signed, blockTime: null }
}

type Sendable = Pick<ChainTransaction, 'raw' | 'hash' | 'blockTime'>

async function send({ db, chain, log }: AnchoringDeps, { raw, hash, blockTime }: Sendable): Promise<boolean> {
  try {
    await chain.send(raw, blockTime ?? undefined)
    await setTransactionState(db, hash, 'sent')
    return true
  } catch (error) {
    // The next poll shows its state: mined meanwhile, nonce used, or still pending.
    if (!(error instanceof TransactionRejected)) throw error
    log.warn({ err: error, txHash: hash }, 'the chain rejected the transaction')
    return false
  }
}
