import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type AbsenceBundle, type ProofBundle, parseAbsence, parseBundle } from './bundle.ts'
import { type LedgerSource, printable, reportLines } from './cli-report.ts'
import { compareBundles } from './compare-bundles.ts'
import { fileLedger, parseAnchorFile } from './file-ledger.ts'
import { FormatError } from './format-error.ts'
import { parseJsonText } from './json-text.ts'
import type { LedgerReader } from './ledger.ts'
import { boxMessage } from './messages.ts'
import { malformedResult } from './result.ts'
import { rpcLedger } from './rpc-ledger.ts'
import type { BoxResult } from './verdict.ts'
import { verifyBundle } from './verify.ts'
import { verifyAbsence } from './verify-absence.ts'

const USAGE = `Usage: npm run -s box:verify -- [OLD.proof.json] FILE.proof.json [--rpc URL | --anchors FILE] [--contract 0x…] [--json]

Checks the history of a box against the ledger, without the shop. With an older proof of the same box before it: also
whether it continues that one.
  --rpc URL       the Ethereum node to ask; without it, the one that the proof names, which proves nothing by itself
  --anchors FILE  ask an export of the anchors instead: works without a network
  --contract 0x…  the contract to trust; without it, the one that the proof names
  --json          print the whole result as JSON
Exit status: 0 verified; 1 not verified, or not every record yet, or proven to be absent; 2 could not be checked, or only
with the node that the proof names.`

interface CliOptions {
  readonly file: string
  /** An older proof, which this one has to continue. */
  readonly older: string | undefined
  readonly rpc: string | undefined
  readonly anchors: string | undefined
  readonly contract: string | undefined
  readonly json: boolean
}

/** How long to wait for a node that answers 429. A shop's own RPC proxy limits requests by the minute. */
const WAIT_MS = 120_000

class UsageError extends Error {}

async function main(args: string[]): Promise<0 | 1 | 2> {
  try {
    const options = parseOptions(args)
    const { result, ledger } = await check(options)
    const text = options.json
      ? JSON.stringify({ ...result, ledger }, null, 2)
      : reportLines(result, ledger, options.older).join('\n')
    process.stdout.write(`${text}\n`)
    return exitStatus(result, ledger)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    process.stderr.write(`${printable(message)}\n${cause instanceof UsageError ? `\n${USAGE}\n` : ''}`)
    return 2
  }
}

/** Only a box whose every record is proven counts as verified, and only by a node or file that the proof didn't choose. */
function exitStatus({ verdict }: BoxResult, ledger: LedgerSource | null): 0 | 1 | 2 {
  if (verdict === 'verified') return ledger?.namedByProof.source === false ? 0 : 2
  return verdict === 'unreachable' ? 2 : 1
}

function parseOptions(args: string[]): CliOptions {
  const { values, positionals } = parsedArgs(args)
  const { rpc, anchors, contract, json = false } = values
  const [file, older] = positionals.toReversed()
  if (file === undefined || positionals.length > 2)
    throw new UsageError('Name one proof file, or an older and a newer one.')
  if (rpc !== undefined && anchors !== undefined) throw new UsageError('Give --rpc or --anchors, not both.')
  if (rpc !== undefined && !/^https?:\/\/\S+$/.test(rpc))
    throw new UsageError('--rpc must be an http or https address.')
  if (contract !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(contract))
    throw new UsageError('--contract must be 0x and 40 hex characters.')
  return { file, older, rpc, anchors, contract: contract?.toLowerCase(), json }
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

async function check(options: CliOptions): Promise<{ result: BoxResult; ledger: LedgerSource | null }> {
  const proof = await readProof(options.file)
  if (proof instanceof FormatError) return { result: malformedResult(proof), ledger: null }
  const older = options.older === undefined ? undefined : await readOlder(options.older)
  const { reader, source } = await openLedger(options, proof)
  const result = isAbsence(proof)
    ? await verifyAbsence(proof, reader)
    : compared(await verifyBundle(proof, reader), proof, older)
  const { chainId, contract } = proof.ledger
  const given = { contract: options.contract ?? options.anchors, source: options.rpc ?? options.anchors }
  const namedByProof = { contract: given.contract === undefined, source: given.source === undefined }
  return { result, ledger: { chainId, contract: options.contract ?? contract, source, namedByProof } }
}

const isAbsence = (proof: object): proof is AbsenceBundle => Object.hasOwn(proof, 'anchor')

async function readOlder(file: string): Promise<ProofBundle> {
  const proof = await readProof(file)
  if (proof instanceof FormatError) throw new Error(`${file} is no proof: ${proof.message}`)
  if (isAbsence(proof)) throw new Error(`${file} is a proof of absence, which nothing can continue.`)
  return proof
}

/** A history that differs from what an older proof says is broken, whatever the ledger says of it. */
function compared(result: BoxResult, proof: ProofBundle, older: ProofBundle | undefined): BoxResult {
  if (older === undefined) return result
  if (older.box !== proof.box)
    throw new Error(`The two proofs are of two boxes, ${older.box} and ${proof.box}.`)
  const forks = compareBundles(older, proof)
  if (forks.length === 0) return result
  const words = boxMessage('broken', { upTo: result.upTo, withheld: result.withheld, datedAhead: 0 })
  return { ...result, verdict: 'broken', words, reasons: [...forks, ...result.reasons] }
}

async function readProof(file: string): Promise<ProofBundle | AbsenceBundle | FormatError> {
  try {
    const value = parseJsonText(await readText(file))
    return typeof value === 'object' && value !== null && isAbsence(value)
      ? parseAbsence(value)
      : parseBundle(value)
  } catch (cause) {
    if (cause instanceof FormatError) return cause
    throw cause
  }
}

async function openLedger(
  { rpc, anchors, contract }: CliOptions,
  { ledger }: ProofBundle | AbsenceBundle,
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
