import { ledgerAbi, ledgerBytecode } from '@befaqt/contract/abi'
import { count, eq } from 'drizzle-orm'
import { encodeDeployData, getContractAddress, type Hex } from 'viem'
import { TransactionRejected } from '#server/chain/port.ts'
import { anchors, ledgers } from '#server/db/schema/ledger.ts'
import type { AnchoringDeps } from './anchoring-deps.ts'
import { markMined, pendingTransactions, saveSigned, setTransactionState } from './chain-transactions.ts'
import { LedgerFault } from './ledger-fault.ts'
import { replay } from './replay.ts'

export type Ledger = { chainId: number; contract: Hex; firstIndex: number }

/**
 * The contract that this database anchors in: known, named by the settings, or deployed with our key. Undefined until
 * its deployment is in a block.
 * @throws LedgerFault when it does not exist, or is not the one that this database anchored in
 */
export async function openLedger(deps: AnchoringDeps): Promise<Ledger | undefined> {
  const { db, chain } = deps
  const chainId = await chain.chainId()
  const known = await db.select().from(ledgers)
  const row = known.find((ledger) => ledger.chainId === chainId)
  if (row === undefined) {
    await refuseOtherChain(deps, chainId, known)
    return deps.contract === undefined ? deploy(deps, chainId) : adopt(deps, chainId, deps.contract)
  }
  if (chain.kind === 'embedded') await replay(db, chain)
  const contract = row.contract as Hex
  if (deps.contract !== undefined && deps.contract.toLowerCase() !== contract)
    throw new LedgerFault(`CHAIN_CONTRACT is ${deps.contract}, but this database anchors in ${contract}.`)
  const ledger = { chainId, contract, firstIndex: row.firstIndex }
  if (row.deployedBy !== null && !(await isDeployed(deps, chainId))) return undefined
  if (await chain.hasCode(contract)) return ledger
  throw new LedgerFault(
    `The ledger is gone: chain ${chainId} has no contract at ${contract}. Anchoring has stopped. Connect the chain ` +
      'that holds it; if that chain no longer exists, its anchors can no longer be checked by anybody.',
  )
}

async function refuseOtherChain(
  deps: AnchoringDeps,
  chainId: number,
  known: { chainId: number }[],
): Promise<void> {
  const [held] = await deps.db.select({ n: count() }).from(anchors)
  if ((held?.n ?? 0) === 0) return
  throw new LedgerFault(
    `This database holds anchors of chain ${known.map((ledger) => ledger.chainId).join(', ')}, and the chain that ` +
      `answers is ${chainId}. Connect the former, or start with another database.`,
  )
}

async function adopt({ db, chain }: AnchoringDeps, chainId: number, given: Hex): Promise<Ledger> {
  const contract = given.toLowerCase() as Hex
  if (!(await chain.hasCode(contract)))
    throw new LedgerFault(`CHAIN_CONTRACT is ${given}, but chain ${chainId} has no contract there.`)
  const firstIndex = await chain.anchorCount(contract)
  await db.insert(ledgers).values({ chainId, contract, firstIndex }).onConflictDoNothing()
  return { chainId, contract, firstIndex }
}

async function deploy(deps: AnchoringDeps, chainId: number): Promise<Ledger | undefined> {
  const { db, chain } = deps
  const args = [chain.account, chain.account] as const
  const data = encodeDeployData({ abi: ledgerAbi, bytecode: ledgerBytecode, args })
  const nonce = await chain.nonce('pending')
  const signed = await chain.sign({ to: null, data, nonce })
  const contract = getContractAddress({ from: chain.account, nonce: BigInt(nonce) }).toLowerCase()
  const ours = await db.transaction(async (tx) => {
    await deps.checkLead(tx)
    const row = { chainId, contract, deployedBy: signed.hash }
    const added = await tx.insert(ledgers).values(row).onConflictDoNothing().returning()
    if (added.length === 0) return false
    await saveSigned(tx, deps, signed, { kind: 'deploy' })
    return true
  })
  deps.log.info({ chainId, contract, txHash: signed.hash }, 'deploying the ledger')
  return ours ? openLedger(deps) : undefined
}

/** Sends the deployment until it is in a block; starts over when another transaction used its nonce. */
async function isDeployed({ db, chain, log }: AnchoringDeps, chainId: number): Promise<boolean> {
  const [deployment] = await pendingTransactions(db, chainId, { kind: 'deploy' })
  if (deployment === undefined || deployment.state === 'confirmed') return true
  const used = await chain.nonce('latest')
  const mined = await chain.receipt(deployment.hash)
  if (mined?.ok) {
    if ((await chain.blockNumber()) - mined.blockNumber + 1 < chain.confirmations) return false
    await markMined(db, deployment, mined)
    log.info({ chainId, txHash: deployment.hash }, 'the ledger is deployed')
    return true
  }
  if (mined !== undefined || used > deployment.nonce) {
    log.warn(
      { txHash: deployment.hash },
      'the deployment failed or its nonce was used by another transaction; retrying',
    )
    await db.transaction(async (tx) => {
      await setTransactionState(tx, deployment.hash, 'dropped')
      await tx.delete(ledgers).where(eq(ledgers.chainId, chainId))
    })
    return false
  }
  await chain.send(deployment.raw, deployment.blockTime ?? undefined).catch((error: unknown) => {
    if (!(error instanceof TransactionRejected)) throw error
    log.warn({ err: error }, 'the chain rejected the deployment')
  })
  await setTransactionState(db, deployment.hash, 'sent')
  return false
}
