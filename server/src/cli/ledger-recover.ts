import { parseArgs } from 'node:util'
import pino from 'pino'
import type { Hex } from 'viem'
import type { AnchoringDeps } from '#server/anchoring/anchoring.ts'
import { openLedger } from '#server/anchoring/ledger.ts'
import {
  findGap,
  type Gap,
  heldBackBoxes,
  recoverLedger,
  releaseBoxes,
} from '#server/anchoring/recover-ledger.ts'
import { openChain } from '#server/chain/open-chain.ts'
import { readConfig } from '#server/config/config.ts'
import { advisoryLocks } from '#server/db/advisory-locks.ts'
import type { Db } from '#server/db/client.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { runCommand } from './command.ts'

const USAGE = `Usage: npm run -s ledger:recover -- [--yes] [--complete BOX… | --complete-all]

After a restored backup: compares the database with the ledger and says what is missing. Stop the shop first; the
settings are the shop's.
  --yes            resumes at the ledger's count; boxes that may lack records are held back from anchors
  --complete BOX   nothing of this box is missing: it grows in anchors again (may be given many times)
  --complete-all   nothing of any box is missing
Exit status: 0 nothing to do, or done; 1 something is to be decided; 2 it could not be done.`

/** Box ids that are printed; the rest is counted. */
const MAX_LISTED = 50

const print = (text: string): void => void process.stdout.write(`${text}\n`)
const utc = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
const named = (ids: readonly string[]): string =>
  ids.slice(0, MAX_LISTED).join(', ') +
  (ids.length > MAX_LISTED ? ` and ${ids.length - MAX_LISTED} more` : '')

type Wanted = { yes: boolean; complete: string[]; all: boolean }

function readArguments(): Wanted {
  const { values } = parseArgs({
    options: {
      yes: { type: 'boolean' },
      complete: { type: 'string', multiple: true },
      'complete-all': { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) throw new Error(USAGE)
  return { yes: values.yes ?? false, complete: values.complete ?? [], all: values['complete-all'] ?? false }
}

async function main(wanted: Wanted): Promise<number> {
  const config = readConfig(process.env)
  const log = pino({ level: 'silent' })
  const database = await openDatabase(config, log)
  const chain = await openChain(config)
  try {
    const { db } = database
    const contract = config.CHAIN_CONTRACT === undefined ? {} : { contract: config.CHAIN_CONTRACT as Hex }
    const now = (): Date => new Date()
    let status = 2
    const alone = await database.withLeadership(advisoryLocks.anchoring, async ({ check: checkLead }) => {
      const deps = { db, chain, log, now, feeBumpAfterS: 120, checkLead, ...contract }
      status = await recover(deps, wanted)
    })
    if (!alone) throw new Error('A process of the shop is running on this database. Stop all of them first.')
    return status
  } finally {
    await chain.close()
    await database.close()
  }
}

async function recover(deps: AnchoringDeps, wanted: Wanted): Promise<number> {
  if (deps.chain.kind === 'embedded') {
    print('The embedded chain is kept in the database and was restored with it: there is nothing to recover.')
    return 0
  }
  const ledger = await openLedger(deps)
  if (ledger === undefined) throw new Error('The ledger is not deployed yet.')
  const gap = await findGap(deps, ledger)
  if (gap === undefined) print('The database knows every anchor of the ledger.')
  else {
    tell(gap)
    if (!wanted.yes) {
      print('\nNothing was changed. Run it again with --yes to go on.')
      return 1
    }
    const heldBack = await recoverLedger(deps.db, gap)
    print(`\nAnchoring goes on at anchor ${gap.last.index + 1}. Held back: ${heldBack} boxes.`)
  }
  return printHeldBack(deps.db, wanted)
}

function tell({ first, last, records, pendingHere, boxes }: Gap): void {
  const range = first.index === last.index ? `${first.index}` : `${first.index} to ${last.index}`
  print(`The ledger holds anchors that this database does not know: ${range},`)
  print(`  of ${utc(first.time)} to ${utc(last.time)}, blocks ${first.blockNumber} to ${last.blockNumber}.`)
  print(
    `They took in ${records} records. ${pendingHere} records here are in no known anchor and may be among them;`,
  )
  print(
    `at least ${Math.max(0, records - pendingHere)} are lost. Boxes registered in that time are lost whole.`,
  )
  print(`Newer records may be lost of these ${boxes.length} boxes, which were open: ${named(boxes)}`)
}

async function printHeldBack(db: Db, { complete, all }: Wanted): Promise<number> {
  if (all || complete.length > 0) {
    const free = await releaseBoxes(db, all ? undefined : complete)
    const unknown = complete.filter((id) => !free.includes(id))
    print(`No longer held back: ${named(free) || 'none'}`)
    if (unknown.length > 0 && !all) print(`Not held back, or not there: ${named(unknown)}`)
  }
  const held = await heldBackBoxes(db)
  if (held.length === 0) return 0
  print(`Held back, their proofs say "incomplete": ${named(held)}`)
  print('When nothing of a box is missing: --complete BOX. A box that lacks records stays as it is.')
  return 1
}

runCommand(async () => main(readArguments()))
