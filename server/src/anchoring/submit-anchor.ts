import { ledgerAbi } from '@befaqt/contract/abi'
import { encodeFunctionData, type Hex } from 'viem'
import { TransactionRejected } from '#server/chain/port.ts'
import { type Anchor, moveAnchor } from './anchor-moves.ts'
import { type AnchoringDeps, secondsSince } from './anchoring-deps.ts'
import {
  type ChainTransaction,
  pendingTransactions,
  saveSigned,
  setTransactionState,
} from './chain-transactions.ts'
import type { Ledger } from './deploy-ledger.ts'
import { LedgerFault } from './ledger-fault.ts'

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
export async function resendAnchor(deps: AnchoringDeps, ledger: Ledger, anchor: Anchor): Promise<boolean> {
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
