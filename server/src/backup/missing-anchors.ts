import pino from 'pino'
import type { Hex } from 'viem'
import { findGap, openLedger } from '#server/anchoring/index.ts'
import { openChain } from '#server/chain/open-chain.ts'
import type { Config } from '#server/config/config.ts'
import { openDatabase } from '#server/db/open-database.ts'
import type { Head } from './content.ts'

/**
 * Brings the restored database up to this version, as a start does, and compares it with the ledger. Returns the exit
 * status: 1 when something is to be decided.
 */
export async function tellWhatIsMissing(
  config: Config,
  { shop, madeAt }: Head,
  say: (text: string) => void,
): Promise<number> {
  const log = pino({ level: 'silent' })
  const database = await openDatabase(config, log)
  const chain = await openChain(config)
  try {
    if (chain.kind === 'embedded') {
      say(
        `Its chain came with it: what was anchored after ${madeAt} is lost, and its proofs no longer verify.`,
      )
      return 0
    }
    if (shop.ledgers.length === 0) {
      say('It had no ledger yet: its first start deploys one.')
      return 0
    }
    const contract = config.CHAIN_CONTRACT === undefined ? {} : { contract: config.CHAIN_CONTRACT as Hex }
    const checkLead = async (): Promise<void> => undefined
    const deps = {
      db: database.db,
      chain,
      log,
      now: () => new Date(),
      feeBumpAfterS: 120,
      checkLead,
      ...contract,
    }
    const ledger = await openLedger(deps)
    const gap = ledger && (await findGap(deps, ledger))
    if (gap === undefined) {
      say('It knows every anchor of the ledger.')
      return 0
    }
    say(
      `The ledger holds ${gap.last.index - gap.first.index + 1} newer anchors, with ${gap.records} records.`,
    )
    say(`${gap.boxes.length} boxes may lack records. Next: npm run -s ledger:recover`)
    return 1
  } catch (error) {
    say(`The ledger could not be asked: ${error instanceof Error ? error.message : String(error)}`)
    say('When it answers: npm run -s ledger:recover')
    return 1
  } finally {
    await chain.close()
    await database.close()
  }
}
