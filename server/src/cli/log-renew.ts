import { parseArgs } from 'node:util'
import { monitorPath } from '@befaqt/provenance/log/add-checkpoint'
import { ask } from '@befaqt/provenance/log/ask'
import type { Policy } from '@befaqt/provenance/log/policy'
import pino from 'pino'
import type { Hex } from 'viem'
import type { AnchoringDeps } from '#server/anchoring/anchoring.ts'
import { openLedger } from '#server/anchoring/ledger.ts'
import { knownBuildsLog } from '#server/anchoring/log/builds-log.ts'
import {
  BUILDS_CHECKPOINT_FILE,
  CHECKPOINT_FILE,
  checkpointFile,
} from '#server/anchoring/log/checkpoint-file.ts'
import { nextOrigin, renewLog, whyLost } from '#server/anchoring/log/renew-log.ts'
import { appendAnchors, knownLog } from '#server/anchoring/log/sign-log.ts'
import { findGap } from '#server/anchoring/recover-ledger.ts'
import { openChain } from '#server/chain/open-chain.ts'
import { type Config, readConfig } from '#server/config/config.ts'
import { advisoryLocks } from '#server/db/advisory-locks.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { loadSecrets } from '#server/secrets/secrets.ts'
import { print, runCommand } from './command.ts'

const USAGE = `Usage: npm run -s log:renew -- [--yes]

Begins a log of the shop anew, under another name and with another key, where it can't be signed any more since what it
signed last is lost. What it signed stays served, and receipts of it are checked against that. Stop the shop first; the
settings are the shop's.
  --yes   begins it anew; without it, it says what would be done
Exit status: 0 done; 1 nothing to do, or something else is to be decided first; 2 it could not be done.`

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { yes: { type: 'boolean' }, help: { type: 'boolean' } } })
  if (values.help) {
    print(USAGE)
    return 0
  }
  const config = readConfig(process.env)
  const log = pino({ level: 'silent' })
  const database = await openDatabase(config, log)
  const chain = await openChain(config)
  try {
    const contract = config.CHAIN_CONTRACT === undefined ? {} : { contract: config.CHAIN_CONTRACT as Hex }
    const world = { db: database.db, chain, log, now: () => new Date(), feeBumpAfterS: 120, ...contract }
    const isEmbedded = database.kind === 'embedded'
    let status = 2
    const alone = await database.withLeadership(advisoryLocks.anchoring, async ({ check: checkLead }) => {
      status = await renew({ ...world, checkLead }, config, { isEmbedded, yes: values.yes === true })
    })
    if (!alone) throw new Error('A process of the shop is running on this database. Stop all of them first.')
    return status
  } finally {
    await chain.close()
    await database.close()
  }
}

type Wanted = { isEmbedded: boolean; yes: boolean }

async function renew(deps: AnchoringDeps, config: Config, { isEmbedded, yes }: Wanted): Promise<number> {
  if (!(await isCaughtUp(deps))) return 1
  const secrets = await loadSecrets(config.DATA_DIR)
  const fileOf = (name: string) => (isEmbedded ? checkpointFile(config.DATA_DIR, name) : undefined)
  const logs = [
    await knownLog(deps.db, { secrets, file: fileOf(CHECKPOINT_FILE) }),
    await knownBuildsLog(deps.db, { secrets, file: fileOf(BUILDS_CHECKPOINT_FILE) }),
  ]
  let lost = 0
  for (const log of logs) {
    const why = log && (await whyLost(deps, log))
    if (log === undefined || why === undefined) continue
    lost++
    const next = await nextOrigin(deps, log, (origin) => isSeen(config.WITNESSES, origin))
    print(why)
    if (!yes) {
      print(`  It would be begun anew as ${next}.`)
      continue
    }
    const key = await renewLog(deps, log, next, secrets)
    print(`  Begun anew as ${next}. Its key, for policies and witnesses: ${key}`)
  }
  if (lost === 0) {
    print('Every log can be signed: nothing is begun anew.')
    return 1
  }
  if (!yes) {
    print(
      '\nNothing was changed. If what was signed can be found, restore that instead: a newer backup, the newer',
    )
    print(`${CHECKPOINT_FILE} with its database, or the former secret.key. Else run it again with --yes.`)
    return 1
  }
  print(
    '\nTell your witnesses the new key: each needs an empty folder for it. Receipts of before stay checkable.',
  )
  return 0
}

/** Where anchors are lost that the ledger has, these come first: with them the log may fit again. */
async function isCaughtUp(deps: AnchoringDeps): Promise<boolean> {
  if (deps.chain.kind === 'embedded') return true
  const ledger = await openLedger(deps)
  if (ledger === undefined) throw new Error('The ledger is not deployed yet.')
  if ((await findGap(deps, ledger)) !== undefined) {
    print('The ledger holds anchors that this database does not know. First: npm run -s ledger:recover')
    return false
  }
  await appendAnchors(deps, ledger)
  return true
}

/** Does a witness show a state of a log of this name, which this database forgot? One that is not reached is passed over. */
async function isSeen(policy: Policy | undefined, origin: string): Promise<boolean> {
  const addresses = [...(policy?.witnesses.values() ?? [])].flatMap(({ url }) => url ?? [])
  const answers = await Promise.all(
    [...new Set(addresses)].map((url) =>
      ask(url.replace(/\/{1,20}$/, '') + monitorPath(origin), {
        maxBytes: 1_000_000,
        timeoutMs: 10_000,
      }).catch(() => {
        print(`  The witness at ${url} could not be asked whether it knows ${origin}.`)
        return undefined
      }),
    ),
  )
  return answers.some((answer) => answer?.status === 200)
}

runCommand(main)
