import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import { findGap } from '#server/anchoring/index.ts'
import { disagreement } from '#server/chain/nodes.ts'
import { networkChain, openChain } from '#server/chain/open-chain.ts'
import { type Chain, ChainUnreachable } from '#server/chain/port.ts'
import type { Config } from '#server/config/config.ts'
import { rows, type Tx } from '#server/db/client.ts'
import { fault, note, ok, reasonOf, type Said, warning } from './finding.ts'
import type { Reading } from './reading.ts'
import { duration } from './rows.ts'
import { isPublic } from './services.ts'

/** What the clock may be behind the newest block, and what a network may be silent. */
const [BEHIND_S, SILENT_S] = [30, 600]

/** Does the chain answer, is it the right one, does it hold the contract and no anchor that the database lacks? */
export async function sayChain(
  config: Config,
  reading: Reading | undefined,
  limitMs: number,
): Promise<Said[]> {
  if (config.CHAIN_RPC_URL === undefined)
    return [
      isPublic(config)
        ? warning(
            'CHAIN_RPC_URL is not set: anchors are in a chain of the shop’s own.',
            'They prove nothing to strangers: name a network that others can read.',
          )
        : note('The embedded chain, which comes from the database.'),
    ]
  const chain = await openChain(config)
  const urls = config.CHAIN_RPC_URL
  const host = urls.map((url) => new URL(url).host).join(', ')
  const said: Said[] = []
  try {
    const chainId = await chain.chainId()
    const block = (await chain.rpc({ method: 'eth_getBlockByNumber', params: ['latest', false] })) as {
      timestamp: Hex
    }
    const age = Date.now() / 1000 - Number(block.timestamp)
    if (age < -BEHIND_S)
      said.push(
        fault(
          `The clock of this machine is ${duration(-age)} behind the newest block of chain ${chainId}.`,
          'Have this machine follow a time server (timedatectl).',
        ),
      )
    if (age > SILENT_S)
      said.push(
        note(
          `The newest block of chain ${chainId} is ${duration(age)} old: a chain without traffic, or a node that is behind.`,
        ),
      )
    const funds = BigInt(
      (await chain.rpc({ method: 'eth_getBalance', params: [chain.account, 'latest'] })) as Hex,
    )
    const price = BigInt((await chain.rpc({ method: 'eth_gasPrice', params: [] })) as Hex)
    if (funds === 0n && price > 0n)
      said.push(
        fault(
          `${chain.account}, which pays for anchors, has nothing.`,
          'Send it some of the chain’s currency.',
        ),
      )
    else if (funds < price * GAS * ANCHORS)
      said.push(
        warning(
          `${chain.account}, which pays for anchors, has enough for fewer than ${ANCHORS} of them.`,
          'Send it some more.',
        ),
      )
    if (reading !== undefined)
      said.push(...(await reading.read(limitMs, (tx) => sayLedger(config, tx, chain, chainId))))
    said.push(...(await sayNodes(chain, urls, limitMs)))
    return said.some(({ level }) => level !== 'note')
      ? said
      : [ok(`Chain ${chainId} answers at ${host}.`), ...said]
  } catch (error) {
    if (!(error instanceof ChainUnreachable)) throw error
    const disagree = disagreement(error)
    if (disagree !== undefined)
      return [
        fault(
          `CHAIN_RPC_URL: ${disagree}: ${host}.`,
          'Nothing is signed and records stay pending until two say the same: take away the one that is wrong, or name a third.',
        ),
        ...(await sayNodes(chain, urls, limitMs)),
      ]
    return [
      fault(
        `CHAIN_RPC_URL: ${host} does not answer: ${reasonOf(error)}`,
        'Records stay pending until it does: check the address, or name another node.',
      ),
    ]
  } finally {
    await chain.close()
  }
}

/** Each of several nodes by itself: one that is away, and one that the others contradicted while they were asked. */
async function sayNodes(chain: Chain, urls: readonly string[], limitMs: number): Promise<Said[]> {
  const states = chain.nodes?.() ?? []
  const key = '0x'.padEnd(66, '1') as Hex // of nobody: nothing is signed
  const answers = await Promise.all(
    states.map(async ({ place, host, fault }, i) => {
      const alone = networkChain(urls[i] ?? '', key, 1, Math.max(limitMs, 2_000))
      const away = await alone.blockNumber().then(
        () => null,
        (error: unknown) => `does not answer: ${reasonOf(error)}`,
      )
      return { name: `${place} (${host})`, words: away ?? fault }
    }),
  )
  return answers
    .filter(({ words }) => words !== null)
    .map(({ name, words }) =>
      warning(
        `CHAIN_RPC_URL: ${name} ${words}`,
        'Anchoring goes on while two others agree: look at that provider, or name another.',
      ),
    )
}

/** What an anchor takes, and how many should be paid for ahead. */
const [GAS, ANCHORS] = [150_000n, 1_000n]

async function sayLedger(config: Config, db: Tx, chain: Chain, chainId: number): Promise<Said[]> {
  const ledgers = await rows<{ chainId: number; contract: string; deployedBy: string | null }>(
    db,
    sql`select chain_id as "chainId", contract, deployed_by as "deployedBy" from ledgers order by chain_id`,
  )
  if (ledgers.length === 0) return [note('No contract yet: the first start deploys one.')]
  const ours = ledgers.find((ledger) => ledger.chainId === chainId)
  if (ours === undefined)
    return [
      fault(
        `Chain ${chainId} answers, and this database anchors on chain ${ledgers.map((ledger) => ledger.chainId).join(', ')}.`,
        'Nothing is anchored on another chain: correct CHAIN_RPC_URL.',
      ),
    ]
  if (
    config.CHAIN_CONTRACT !== undefined &&
    config.CHAIN_CONTRACT.toLowerCase() !== ours.contract.toLowerCase()
  )
    return [
      fault(
        `CHAIN_CONTRACT is ${config.CHAIN_CONTRACT}, and this database anchors in ${ours.contract}.`,
        'Anchoring stops with it: take the setting away, or name that one.',
      ),
    ]
  if (!(await chain.hasCode(ours.contract as Hex)))
    return [
      fault(
        `Chain ${chainId} has no contract at ${ours.contract}.`,
        'Its deployment is not in a block yet, or this is another network of the same id: connect the one that holds it.',
      ),
    ]
  const deps = {
    db,
    chain,
    now: () => new Date(),
    log: { info: none, warn: none, error: none },
    checkLead: async () => undefined,
    feeBumpAfterS: 0,
  }
  const gap = await findGap(deps, { chainId, contract: ours.contract as Hex }).catch((error: unknown) =>
    reasonOf(error),
  )
  if (typeof gap === 'string') return [fault(gap, 'See Backup in docs/operations.md.')]
  if (gap === undefined) return []
  return [
    fault(
      `The ledger holds ${gap.last.index - gap.first.index + 1} anchors that this database does not know, with ${gap.records} records.`,
      'The database is of before them, as after a restored backup. Stop the shop, then: npm run -s ledger:recover',
    ),
  ]
}

const none = (): void => undefined
