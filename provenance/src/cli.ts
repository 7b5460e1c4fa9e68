import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { withMonitors } from './ask-monitors.ts'
import { askedOf, hostOf, withWitnesses } from './asked.ts'
import { type AbsenceBundle, type ProofBundle, parseAbsence, parseBundle } from './bundle.ts'
import { parseJsonText } from './canonical.ts'
import { compareBundles } from './check-records.ts'
import { pathOf, readText } from './cli-files.ts'
import { type LedgerSource, printable, reportLines } from './cli-report.ts'
import { fileLedger, parseAnchorFile } from './file-ledger.ts'
import { FormatError } from './format-error.ts'
import type { LedgerReader } from './ledger.ts'
import { agreeingLedger } from './ledger.ts'
import { type Policy, parsePolicy } from './log/policy.ts'
import { boxMessage } from './messages.ts'
import { mirrorLedger } from './mirror-ledger.ts'
import { refusedResult } from './result.ts'
import { rpcLedger } from './rpc-ledger.ts'
import type { BoxResult, Reason } from './verdict.ts'
import { verifyAbsence, verifyBundle } from './verify.ts'

/** In this repository an npm script, in the package of the verifier a command. */
const COMMAND =
  process.env.npm_lifecycle_event === 'box:verify' ? 'npm run -s box:verify --' : 'befaqt-verify'
const USAGE = `Usage: ${COMMAND} [OLD.proof.json] FILE.proof.json [--rpc URL [--rpc URL] | --anchors FILE [--anchors-from HOST] | --mirror URL]
       [--policy FILE] [--contract 0x…] [--box ID] [--json]

Checks the history of a box against the ledger, without the shop. With an older proof of the same box before it: also
whether it continues that one.
  --rpc URL            the Ethereum node to ask; without it, the one that the proof names, which proves nothing by
                       itself. Given twice, both are asked and have to agree
  --anchors FILE       ask an export of the anchors instead: works without a network
  --anchors-from HOST  whose node that export was read from; without it, the shop's
  --mirror URL         ask the copy of the log of anchors that somebody else keeps, at the address of that witness: when
                       shop and node are gone. Needs --policy, which has to name the key of the mirror as one of a witness
  --policy FILE        whose signatures below the log of anchors count: a policy of your own in the format tlog-policy,
                       for a proof that was fetched with ?log=1. The witnesses that it gives an address for are asked
                       what they have signed since
  --contract 0x…       the contract to trust; without it, the one that the proof names
  --box ID             the box that it has to be of, as on the label
  --json               print the whole result as JSON
Exit status: 0 verified, by a node of others than the shop or as many witnesses as the policy asks for; 1 not verified, or not every record yet, or proven to be
absent; 2 could not be checked; 3 unchanged, by the shop's own ledger alone: without --rpc, or with a node on its host;
its weight was raised after a sale, or statements of its devices are missing.`

interface CliOptions {
  readonly file: string
  /** An older proof, which this one has to continue. */
  readonly older: string | undefined
  readonly rpc: readonly string[]
  readonly anchors: string | undefined
  /** Whose node the file of anchors was read from. */
  readonly anchorsFrom: string | undefined
  /** Address of a mirror of the log. */
  readonly mirror: string | undefined
  /** A file that says whose signatures below the log count. */
  readonly policy: string | undefined
  readonly contract: string | undefined
  /** The box on the label. */
  readonly box: string | undefined
  readonly json: boolean
}

/** How long to wait for a node that answers 429. A shop's own RPC proxy limits requests by the minute. */
const WAIT_MS = 120_000

class UsageError extends Error {}

async function main(args: string[]): Promise<0 | 1 | 2 | 3> {
  try {
    const options = parseOptions(args)
    const { result, ledger, monitors } = await check(options)
    const text = options.json
      ? JSON.stringify({ ...result, ledger, monitors }, null, 2)
      : reportLines(result, ledger, options.older, monitors).join('\n')
    process.stdout.write(`${text}\n`)
    return exitStatus(result, ledger)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    process.stderr.write(`${printable(message)}\n${cause instanceof UsageError ? `\n${USAGE}\n` : ''}`)
    return 2
  }
}

/** Only a box whose every record is proven counts as verified, and only by a node or file of others than the shop. */
function exitStatus({ verdict, balance, statements }: BoxResult, ledger: LedgerSource | null): 0 | 1 | 2 | 3 {
  const isOwn = (ledger?.asked.grade ?? 'own') === 'own'
  const isTop = !isOwn && (balance?.raised ?? null) === null && statements?.lacking !== true
  if (verdict === 'verified') return isTop ? 0 : 3
  return verdict === 'unreachable' ? 2 : 1
}

function parseOptions(args: string[]): CliOptions {
  const { values, positionals } = parsedArgs(args)
  const {
    rpc = [],
    anchors,
    'anchors-from': anchorsFrom,
    mirror,
    policy,
    contract,
    box,
    json = false,
  } = values
  const [file, older] = positionals.toReversed()
  if (file === undefined || positionals.length > 2)
    throw new UsageError('Name one proof file, or an older and a newer one.')
  const ways = [rpc.length > 0, anchors !== undefined, mirror !== undefined].filter((isGiven) => isGiven)
  if (ways.length > 1) throw new UsageError('Give one of --rpc, --anchors and --mirror.')
  if (rpc.length > 2 || !rpc.every(isAddress))
    throw new UsageError('--rpc must be an http or https address, given at most twice.')
  if (mirror !== undefined && (!isAddress(mirror) || policy === undefined || contract !== undefined))
    throw new UsageError('--mirror must be an http or https address, with --policy and without --contract.')
  if (anchorsFrom !== undefined && (anchors === undefined || hostOf(anchorsFrom) === ''))
    throw new UsageError('--anchors-from must be the host that the file of --anchors was read from.')
  if (contract !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(contract))
    throw new UsageError('--contract must be 0x and 40 hex characters.')
  return {
    file,
    older,
    rpc,
    anchors,
    anchorsFrom,
    mirror,
    policy,
    contract: contract?.toLowerCase(),
    box,
    json,
  }
}

const isAddress = (text: string): boolean => /^https?:\/\/\S+$/.test(text)

function parsedArgs(args: string[]) {
  const text = { type: 'string' } as const
  const options = {
    rpc: { type: 'string', multiple: true },
    anchors: text,
    'anchors-from': text,
    mirror: text,
    policy: text,
    contract: text,
    box: text,
    json: { type: 'boolean' },
  } as const
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : 'The arguments could not be read.')
  }
}

interface Check {
  readonly result: BoxResult
  readonly ledger: LedgerSource | null
  /** What the witnesses of the policy show at their own addresses. */
  readonly monitors: readonly string[]
}

async function check(options: CliOptions): Promise<Check> {
  const proof = await readProof(options.file)
  if (isRefused(proof)) return { result: proof.refused, ledger: null, monitors: [] }
  const older = options.older === undefined ? undefined : await readOlder(options.older)
  const policy = options.policy === undefined ? undefined : await readPolicy(options.policy)
  const { reader, source, read, mirrored } = await openLedger(options, proof, policy)
  const terms = { policy, ...(options.box !== undefined && { box: options.box }) }
  const shown = isAbsence(proof) || policy === undefined ? undefined : await withMonitors(proof, policy)
  const result = isAbsence(proof)
    ? await verifyAbsence(proof, reader, options.box)
    : compared(await verifyBundle(shown?.proof ?? proof, reader, terms), proof, older, shown?.forked)
  const { chainId, contract } = proof.ledger
  const isChosen = options.rpc.length > 0 || (options.anchors ?? options.mirror) !== undefined
  const namedByProof = {
    contract: (options.contract ?? options.anchors) === undefined,
    source: !isChosen,
  }
  const question = { read, isChosen, shop: [proof.ledger.rpc] }
  const graded = await askedOf(reader, question)
  const asked = withWitnesses(mirrored ? { ...graded, grade: 'witnessed' } : graded, result.log)
  return {
    result,
    ledger: { chainId, contract: options.contract ?? contract, source, namedByProof, asked, mirrored },
    monitors: shown?.lines ?? [],
  }
}

async function readPolicy(file: string): Promise<Policy> {
  try {
    return parsePolicy(await readFile(pathOf(file)))
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause
    throw new Error(`${file} is no policy: ${cause.message}`)
  }
}

const isAbsence = (proof: object): proof is AbsenceBundle => Object.hasOwn(proof, 'anchor')

async function readOlder(file: string): Promise<ProofBundle> {
  const proof = await readProof(file)
  if (isRefused(proof)) {
    const [reason] = proof.refused.reasons
    throw new Error(`${file} is no proof that can be compared: ${reason?.detail ?? reason?.words}`)
  }
  if (isAbsence(proof)) throw new Error(`${file} is a proof of absence, which nothing can continue.`)
  return proof
}

/** A history that differs from what an older proof or a witness shows is broken, whatever the ledger says of it. */
function compared(
  result: BoxResult,
  proof: ProofBundle,
  older: ProofBundle | undefined,
  forked: readonly Reason[] = [],
): BoxResult {
  if (older !== undefined && older.box !== proof.box)
    throw new Error(`The two proofs are of two boxes, ${older.box} and ${proof.box}.`)
  const forks = [...forked, ...(older === undefined ? [] : compareBundles(older, proof))]
  if (forks.length === 0) return result
  const words = boxMessage('broken', { upTo: result.upTo, withheld: result.withheld, datedAhead: 0 })
  const isTwo = forked.length > 0 && result.log !== undefined
  const log = isTwo ? { log: { ...result.log, state: 'broken' as const } } : {}
  return { ...result, ...log, verdict: 'broken', words, reasons: [...forks, ...result.reasons] }
}

/** Something that is no proof, or one in another format, with what is to be said of it. */
type Refused = { readonly refused: BoxResult }

const isRefused = (proof: object): proof is Refused => Object.hasOwn(proof, 'refused')

async function readProof(file: string): Promise<ProofBundle | AbsenceBundle | Refused> {
  let value: unknown
  try {
    value = parseJsonText(await readText(file))
    return typeof value === 'object' && value !== null && isAbsence(value)
      ? parseAbsence(value)
      : parseBundle(value)
  } catch (cause) {
    if (cause instanceof FormatError) return { refused: refusedResult(value, cause) }
    throw cause
  }
}

type Opened = {
  reader: LedgerReader
  source: string
  /** Addresses of nodes. */
  read: readonly string[]
  /** It is the copy of a mirror, and whether as many have signed it lately as the policy asks for. */
  mirrored?: boolean
}

async function openLedger(
  { rpc, anchors, anchorsFrom, mirror, contract }: CliOptions,
  proof: ProofBundle | AbsenceBundle,
  policy: Policy | undefined,
): Promise<Opened> {
  const { ledger } = proof
  if (mirror !== undefined && policy !== undefined) {
    const { isEnough, ...copy } = await mirrorLedger(proof, policy, mirror, Math.floor(Date.now() / 1000))
    return { ...copy, read: [], mirrored: isEnough }
  }
  if (anchors === undefined) {
    const read = rpc.length > 0 ? rpc : [ledger.rpc]
    const options = { contract: contract ?? ledger.contract, waitMs: WAIT_MS }
    const readers = read.map((url) => rpcLedger(url, fetch, options))
    return { reader: agreeingLedger(readers), source: read.join(' and '), read }
  }
  const file = parseAnchorFile(parseJsonText(await readText(anchors)))
  if (contract !== undefined && contract !== file.contract)
    throw new UsageError(`${anchors} is an export of another contract, ${file.contract}.`)
  const read = anchorsFrom === undefined ? [] : [anchorsFrom]
  return { reader: fileLedger(file), source: anchors, read }
}

process.exitCode = await main(process.argv.slice(2))
