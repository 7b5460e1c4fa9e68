import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type ProofBundle, parseBundle } from './bundle.ts'
import { type LedgerSource, printable, reportLines } from './cli-report.ts'
import { fileLedger, parseAnchorFile } from './file-ledger.ts'
import { FormatError } from './format-error.ts'
import { parseJsonText } from './json-text.ts'
import type { LedgerReader } from './ledger.ts'
import { malformedResult } from './result.ts'
import { rpcLedger } from './rpc-ledger.ts'
import type { BoxResult } from './verdict.ts'
import { verifyBundle } from './verify.ts'

const USAGE = `Usage: npm run -s box:verify -- FILE.proof.json [--rpc URL | --anchors FILE] [--contract 0x…] [--json]

Checks the history of a box against the ledger, without the shop.
  --rpc URL       the Ethereum node to ask; without it, the one that the proof names
  --anchors FILE  ask an export of the anchors instead: works without a network
  --contract 0x…  the contract to trust; without it, the one that the proof names
  --json          print the whole result as JSON
Exit status: 0 verified; 1 not verified, or not every record yet; 2 could not be checked.`

interface Wishes {
  readonly file: string
  readonly rpc: string | undefined
  readonly anchors: string | undefined
  readonly contract: string | undefined
  readonly json: boolean
}

/** For a node that is asked too often. A shop's own door counts by the minute. */
const WAIT_MS = 120_000

class UsageError extends Error {}

async function main(args: string[]): Promise<0 | 1 | 2> {
  try {
    const wishes = wishesOf(args)
    const { result, ledger } = await check(wishes)
    const text = wishes.json
      ? JSON.stringify({ ...result, ledger }, null, 2)
      : reportLines(result, ledger).join('\n')
    process.stdout.write(`${text}\n`)
    return exitStatus(result)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    process.stderr.write(`${printable(message)}\n${cause instanceof UsageError ? `\n${USAGE}\n` : ''}`)
    return 2
  }
}

/** Only a box whose every record is proven counts as verified. */
function exitStatus({ verdict }: BoxResult): 0 | 1 | 2 {
  if (verdict === 'verified') return 0
  return verdict === 'unreachable' ? 2 : 1
}

function wishesOf(args: string[]): Wishes {
  const { values, positionals } = parsedArgs(args)
  const { rpc, anchors, contract, json = false } = values
  const [file] = positionals
  if (file === undefined || positionals.length > 1) throw new UsageError('Name one proof file.')
  if (rpc !== undefined && anchors !== undefined) throw new UsageError('Give --rpc or --anchors, not both.')
  if (rpc !== undefined && !/^https?:\/\/\S+$/.test(rpc))
    throw new UsageError('--rpc must be an http or https address.')
  if (contract !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(contract))
    throw new UsageError('--contract must be 0x and 40 hex characters.')
  return { file, rpc, anchors, contract: contract?.toLowerCase(), json }
}

function parsedArgs(args: string[]) {
  const text = { type: 'string' } as const
  const options = { rpc: text, anchors: text, contract: text, json: { type: 'boolean' } } as const
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : 'The arguments could not be read.')
  }
}

async function check(wishes: Wishes): Promise<{ result: BoxResult; ledger: LedgerSource | null }> {
  const bundle = await readBundle(wishes.file)
  if (bundle instanceof FormatError) return { result: malformedResult(bundle), ledger: null }
  const { reader, source } = await openLedger(wishes, bundle)
  const result = await verifyBundle(bundle, reader)
  const { chainId, contract } = bundle.ledger
  const given = { contract: wishes.contract ?? wishes.anchors, source: wishes.rpc ?? wishes.anchors }
  const namedByProof = { contract: given.contract === undefined, source: given.source === undefined }
  return { result, ledger: { chainId, contract: wishes.contract ?? contract, source, namedByProof } }
}

async function readBundle(file: string): Promise<ProofBundle | FormatError> {
  try {
    return parseBundle(parseJsonText(await readText(file)))
  } catch (cause) {
    if (cause instanceof FormatError) return cause
    throw cause
  }
}

async function openLedger(
  { rpc, anchors, contract }: Wishes,
  { ledger }: ProofBundle,
): Promise<{ reader: LedgerReader; source: string }> {
  if (anchors === undefined) {
    const url = rpc ?? ledger.rpc
    const options = { contract: contract ?? ledger.contract, waitMs: WAIT_MS }
    return { reader: rpcLedger(url, fetch, options), source: url }
  }
  const file = parseAnchorFile(parseJsonText(await readText(anchors)))
  if (contract !== undefined && contract !== file.contract)
    throw new UsageError(`${anchors} is an export of another contract, ${file.contract}.`)
  return { reader: fileLedger(file), source: anchors }
}

/** npm runs scripts in the project's folder and names the caller's own in INIT_CWD. @throws FormatError unless UTF-8 */
async function readText(file: string): Promise<string> {
  const bytes = await readFile(resolve(process.env.INIT_CWD ?? '.', file))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new FormatError('$', 'is not UTF-8 text')
  }
}

process.exitCode = await main(process.argv.slice(2))
