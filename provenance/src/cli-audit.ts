import { readFile, rename, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { askedOf, type Grade } from './asked.ts'
import { type Audit, audit } from './audit/audit.ts'
import { type AuditState, auditStateText, parseAuditState } from './audit/audit-state.ts'
import { shopAnchors } from './audit/shop-anchors.ts'
import { pathOf } from './cli-files.ts'
import { OWN_NODE, printable } from './cli-report.ts'
import { rpcLedger } from './rpc-ledger.ts'

const USAGE = `Usage: npm run -s anchors:audit -- --server URL [--rpc URL] [--contract 0x…] [--state FILE [--from INDEX]]

Follows the map of all boxes from anchor to anchor, rebuilds every root from what the shop says has changed, compares it
with the contract, and names every box whose count fell, that changed without growth, or that vanished.
  --rpc URL       the Ethereum node to ask; without it, the one that the shop names, which proves nothing by itself
  --contract 0x…  the contract to trust; without it, the one that the shop names
  --state FILE    goes on where FILE ends, and writes how far it came and all that was ever found
  --from INDEX    FILE must end right before this anchor
Exit status: 0 consistent, by a node of others than the shop; 1 not, now or earlier by FILE; 2 could not be checked;
3 consistent, by the shop's own ledger alone: without --rpc, or with a node on its host.`

/** How long to wait for a node that answers 429. */
const WAIT_MS = 120_000
/** That nobody but the shop vouched for the ledger. Source: protocol §6.7. */
const OWN_AUDIT = 'Consistent, by the ledger that the shop names; we asked nobody else.'
/** Findings that are printed; the file has all. */
const MAX_PRINTED = 100

interface CliOptions {
  readonly server: string
  readonly rpc: string | undefined
  readonly contract: string | undefined
  readonly state: string | undefined
  readonly from: number | undefined
}

class UsageError extends Error {}

async function main(args: string[]): Promise<0 | 1 | 2 | 3> {
  try {
    const options = parseOptions(args)
    const former = options.state === undefined ? undefined : await readState(options.state)
    if (options.from !== undefined && options.from !== (former?.next ?? 0))
      throw new Error(`${options.state} ends before anchor ${former?.next ?? 0}, not before ${options.from}.`)
    const shop = shopAnchors(options.server)
    const named = await shop.ledger()
    const [rpc, contract] = [options.rpc ?? named.rpc, options.contract ?? named.contract]
    const ledger = rpcLedger(rpc, fetch, { contract, waitMs: WAIT_MS })
    const done = await audit(shop, ledger, former, nowS())
    if (options.state !== undefined) await writeState(options.state, done.state)
    const question = { read: [rpc], isChosen: options.rpc !== undefined, shop: [options.server, named.rpc] }
    const { grade } = await askedOf(ledger, question)
    process.stdout.write(`${reportLines(done, rpc, grade, options).map(printable).join('\n')}\n`)
    if (done.state.findings.length > 0) return 1
    return grade === 'other' ? 0 : 3
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    process.stderr.write(`${printable(message)}\n${cause instanceof UsageError ? `\n${USAGE}\n` : ''}`)
    return 2
  }
}

const nowS = (): number => Math.floor(Date.now() / 1000)

function parseOptions(args: string[]): CliOptions {
  const { server, rpc, contract, state, from } = parsedArgs(args)
  const address = /^https?:\/\/\S+$/
  if (server === undefined || !address.test(server))
    throw new UsageError('--server must be the http or https address of a shop.')
  if (rpc !== undefined && !address.test(rpc)) throw new UsageError('--rpc must be an http or https address.')
  if (contract !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(contract))
    throw new UsageError('--contract must be 0x and 40 hex characters.')
  if (from !== undefined && (state === undefined || !/^\d{1,15}$/.test(from)))
    throw new UsageError('--from must be the index of an anchor, beside --state.')
  return {
    server: server.replace(/\/{1,20}$/, ''),
    rpc,
    contract: contract?.toLowerCase(),
    state,
    from: from === undefined ? undefined : Number(from),
  }
}

function parsedArgs(args: string[]) {
  const text = { type: 'string' } as const
  const options = { server: text, rpc: text, contract: text, state: text, from: text } as const
  try {
    return parseArgs({ args, options }).values
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : 'The arguments could not be read.')
  }
}

/** How far an earlier audit came; undefined when there was none. */
async function readState(file: string): Promise<AuditState | undefined> {
  const text = await readFile(pathOf(file), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw cause
  })
  if (text === undefined) return undefined
  try {
    return parseAuditState(JSON.parse(text))
  } catch (cause) {
    throw new Error(`${file} is no state of an audit: ${cause instanceof Error ? cause.message : ''}`)
  }
}

/** Whole or not at all: a kill leaves the state of the night before. */
async function writeState(file: string, state: AuditState): Promise<void> {
  const path = pathOf(file)
  await writeFile(`${path}.new`, auditStateText(state), { flush: true })
  await rename(`${path}.new`, path)
}

function reportLines({ state, held }: Audit, rpc: string, grade: Grade, options: CliOptions): string[] {
  const { chainId, contract, next, states, findings } = state
  const rest = held - next
  return [
    findings.length === 0
      ? grade === 'own'
        ? OWN_AUDIT
        : 'Consistent.'
      : `Not consistent, findings: ${findings.length}.`,
    ...findings.slice(0, MAX_PRINTED).map(({ words }) => `  - ${words}`),
    ...(findings.length > MAX_PRINTED ? [`  and ${findings.length - MAX_PRINTED} more`] : []),
    next === 0
      ? 'No anchor was followed.'
      : `Followed to anchor ${next - 1}${rest > 0 ? `, ${rest} before the newest` : ', the newest'}: ${states.length} boxes.`,
    `Ledger: contract ${contract} on chain ${chainId}, read from ${rpc}`,
    ...(options.contract === undefined
      ? ['  The shop names this contract: compare it with the one that it publishes elsewhere.']
      : []),
    ...(options.rpc === undefined
      ? [
          '  The shop itself names this address: name another with --rpc. Without one nothing is checked independently.',
        ]
      : grade === 'own'
        ? [OWN_NODE]
        : []),
  ]
}

process.exitCode = await main(process.argv.slice(2))
