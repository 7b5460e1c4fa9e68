import { ledgerAbi, ledgerBytecode } from '@befaqt/contract/abi'
import { and, count, eq, sql } from 'drizzle-orm'
import { encodeDeployData, getContractAddress, type Hex } from 'viem'
import { type Chain, type LedgerLocation, TransactionRejected } from '#server/chain/port.ts'
import { type Db, rows } from '#server/db/client.ts'
import { anchors, chainTransactions, ledgers } from '#server/db/schema/ledger.ts'
import { type AnchoringDeps, LedgerFault } from './anchoring.ts'
import {
  markMined,
  pendingTransactions,
  saveSigned,
  setTransactionState,
  syncEmbeddedChain,
} from './chain-transactions.ts'

export type Ledger = { chainId: number; contract: Hex }

/**
 * The contract that this database anchors in: known, named by the settings, or deployed with our key. Undefined until
 * its deployment is in a block.
 * @throws LedgerFault when it does not exist, or is not the one that this database anchored in
 */
export async function openLedger(deps: AnchoringDeps): Promise<Ledger | undefined> {
  const { db, chain } = deps
  const chainId = await chain.chainId()
  await syncEmbeddedChain(deps)
  const known = await db.select().from(ledgers)
  const row = known.find((ledger) => ledger.chainId === chainId)
  if (row === undefined) {
    await refuseOtherChain(deps, chainId, known)
    return deps.contract === undefined ? deploy(deps, chainId) : adopt(deps, chainId, deps.contract)
  }
  const contract = row.contract as Hex
  if (deps.contract !== undefined && deps.contract.toLowerCase() !== contract)
    throw new LedgerFault(`CHAIN_CONTRACT is ${deps.contract}, but this database anchors in ${contract}.`)
  const ledger = { chainId, contract }
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

async function adopt({ db, chain, log }: AnchoringDeps, chainId: number, given: Hex): Promise<Ledger> {
  const contract = given.toLowerCase() as Hex
  if (!(await chain.hasCode(contract)))
    throw new LedgerFault(`CHAIN_CONTRACT is ${given}, but chain ${chainId} has no contract there.`)
  const held = await chain.anchorCount(contract)
  if (held > 0)
    throw new LedgerFault(
      `CHAIN_CONTRACT is ${given}, which holds ${held} anchors that this database does not know. A contract serves one ` +
        'database, from its first anchor on: name one that holds none, or none at all, and a new one is deployed.',
    )
  await db.insert(ledgers).values({ chainId, contract }).onConflictDoNothing()
  log.info(
    { chainId, contract, former: await formerContract(db, chainId) },
    'anchoring in the contract of the settings',
  )
  return { chainId, contract }
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
  const former = await formerContract(db, chainId)
  deps.log.info({ chainId, contract, txHash: signed.hash, former }, 'deploying the ledger')
  return ours ? openLedger(deps) : undefined
}

/**
 * The contract that holds this database's anchors of protocol 1: its boxes are anchored anew in another. Undefined when
 * there is none, as in every database that began with protocol 2.
 */
async function formerContract(db: AnchoringDeps['db'], chainId: number): Promise<string | undefined> {
  const [former] = await rows<{ contract: string }>(
    db,
    sql`select contract from protocol_1.ledgers where chain_id = ${chainId}`,
  )
  return former?.contract
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
