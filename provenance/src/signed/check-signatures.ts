import { verifyEd25519 } from '#signatures'
import type { ProofBundle } from '../bundle.ts'
import { isWithheld, saysSigned } from '../bundle-parts.ts'
import { unhexed } from '../digest.ts'
import { FormatError, parsedOr } from '../format-error.ts'
import { latenessIn } from '../lateness.ts'
import { boxMessage, reasonMessages } from '../messages.ts'
import type { RecordOfAnyKind } from '../record.ts'
import { blockTimeSeconds } from '../validate.ts'
import type {
  BoxResult,
  RecordResult,
  SignatureCounts,
  SignatureReason,
  SignatureResult,
  StatementNotes,
} from '../verdict.ts'
import { followChains, type Link, seriesOf } from './chains.ts'
import { keyIdOf, parseRegisterEntry, type RegisterEntry, registerBoxOf } from './device-register.ts'
import {
  isMarkedSigned,
  markedReading,
  parseSignedMark,
  readMarkedStatement,
  readWeighed,
  type SignedMark,
} from './signed-data.ts'
import type { Signed } from './statement.ts'

/** What a bundle says of keys: what the ledger proves, why it proves nothing, or nothing at all. */
type Registers = ReadonlyMap<string, ProvenRegister | 'unread' | 'broken'>

/** What was found of one record: a state of its signature, or what is wrong with it. */
export type Finding = { readonly signature: SignatureResult } | { readonly problem: SignatureReason }

/** A finding for each signed record, by its `seq`, and what the statements say of each other. */
export type Findings = {
  readonly findings: ReadonlyMap<number, Finding>
  readonly notes: StatementNotes | null
}

/** What a record holds that was signed; null: something else was, or nothing that can be read. */
type Reading = {
  readonly level: SignatureResult['level']
  readonly place: number
  readonly statement: Signed
  /** By the key of that id in the bundle, of which nothing is proven yet. undefined: there is none, or it can't be found out. */
  readonly isSigned: boolean | undefined
}
/** Of each record that says that it was signed. */
export type Readings = ReadonlyMap<ProofBundle['records'][number], Reading | null>

/** Signatures that are checked at the same time. */
const AT_ONCE = 256

/**
 * Reads and verifies what was signed, each statement once for all records that repeat it. It needs nothing of the ledger, so
 * it is done while the ledger is asked.
 * @throws Error when the code that reads it can't be loaded
 */
export async function readSigned(bundle: ProofBundle): Promise<Readings> {
  const keys = claimedKeys(bundle)
  const opened = new Map<string, ReturnType<typeof open>>()
  const readings = new Map<ProofBundle['records'][number], Reading | null>()
  const marked = bundle.records.filter(saysSigned)
  for (let from = 0; from < marked.length; from += AT_ONCE) {
    const part = marked.slice(from, from + AT_ONCE)
    const read = await Promise.all(part.map(readOne))
    for (const [i, record] of part.entries()) readings.set(record, read[i] ?? null)
  }
  return readings

  function openedOnce(mark: SignedMark): ReturnType<typeof open> {
    const signed = mark.form === 'cose' ? mark.bytes : mark.signature + mark.text
    const known = opened.get(signed) ?? open(mark)
    opened.set(signed, known)
    return known
  }

  async function open(mark: SignedMark) {
    return vouchedFor(await readMarkedStatement(mark))
  }

  async function vouchedFor<S extends Signed>(statement: S) {
    const key = keys.get(statement.key)
    const isSigned = key && (await verifyEd25519(key, statement.message, statement.signature))
    return { statement, isSigned }
  }

  async function readOne(record: RecordOfAnyKind): Promise<Reading | null> {
    try {
      return await (isMarkedSigned(record.data) ? readingIn(record) : weightIn(record))
    } catch (cause) {
      if (!(cause instanceof FormatError || cause instanceof TypeError)) throw cause
      return null
    }
  }

  async function readingIn({ data, kind, at }: RecordOfAnyKind): Promise<Reading> {
    const mark = parseSignedMark(data.signed)
    const { statement, isSigned } = await openedOnce(mark)
    const { time } = markedReading(data, mark, statement)
    if (statement.box !== bundle.box || statement.key !== mark.key || kind !== 'tracking' || at !== time)
      throw new FormatError('$', 'was signed about something else')
    return { level: mark.level, place: mark.form === 'cose' ? mark.place : 0, statement, isSigned }
  }

  async function weightIn({ data, at }: RecordOfAnyKind): Promise<Reading> {
    const weighing = await readWeighed(data)
    if (weighing.box !== bundle.box || at !== weighing.time)
      throw new FormatError('$', 'was signed about something else')
    return { level: 'scale', place: 0, ...(await vouchedFor(weighing)) }
  }
}

/** The id of a key, as its register box is named. */
const keyOf = ({ box }: ProofBundle): string => box.slice(registerBoxOf('').length)

/** Bytes of keys by the id in the name of their register box, as the first entry of each says. */
const claimedKeys = ({ devices = [] }: ProofBundle): Map<string, Uint8Array> =>
  new Map(
    devices.flatMap((device) => {
      const [first] = device.records
      if (first === undefined || isWithheld(first)) return []
      const entry = parsedOr(parseRegisterEntry, first.data)
      return entry instanceof FormatError ? [] : [[keyOf(device), unhexed(entry.key)] as const]
    }),
  )

/**
 * Checks the signature of every record that says it was signed, with the keys whose register boxes the bundle carries.
 * @param verified the results of these, in the order of `bundle.devices`
 */
export function checkSignatures(
  bundle: ProofBundle,
  result: BoxResult,
  verified: readonly BoxResult[],
  readings: Readings,
  timeZone: string,
): Findings {
  const registers = registersOf(bundle, verified)
  const isFresh = replayFinder()
  const latenessFrom = latenessIn(timeZone)
  const findings = new Map<number, Finding>()
  const links: Link[] = []
  for (const [i, record] of bundle.records.entries()) {
    const [reading, found] = [readings.get(record), result.records[i]]
    if (reading === undefined || found === undefined || isWithheld(record)) continue
    findings.set(record.seq, reading === null ? bad('signature_mismatch') : judge(record, found, reading))
  }
  const { notes, forks } = followChains(bundle, links, timeZone)
  for (const { seq } of forks) findings.set(seq, bad('chain_forked'))
  return { findings, notes }

  function judge(record: RecordOfAnyKind, found: RecordResult, reading: Reading): Finding {
    const { level, place, statement, isSigned } = reading
    const register = registers.get(statement.key)
    const isBy = typeof register === 'object' ? isSigned : undefined
    if (isBy === false) return bad('signature_mismatch')
    if (!isFresh(seriesOf(level, statement.key), place, statement)) return bad('counter_repeated')
    if (isBy) links.push({ seq: record.seq, level, statement })
    if (register === 'broken') return bad('key_not_valid')
    const told = { level, key: statement.key }
    if (register === undefined || register === 'unread' || isBy === undefined)
      return { signature: { ...told, state: register === undefined ? 'unproven' : 'unchecked' } }
    const { entry, enteredAt, revokedAt, lastAnchor } = register
    const validFrom = blockTimeSeconds(entry.validFrom) ?? 0
    const early = latenessFrom(record.at, validFrom) ?? 0
    if (entry.level !== (level === 'scale' ? 'sensor' : level) || early > 0) return bad('key_not_valid')
    const anchor = found.verdict === 'anchored' ? found.anchor?.index : undefined
    if (anchor === undefined || enteredAt === null)
      return { signature: { ...told, state: found.verdict === 'unchecked' ? 'unchecked' : 'pending' } }
    if (anchor < enteredAt || (revokedAt !== null && anchor > revokedAt)) return bad('key_not_valid')
    return { signature: { ...told, state: anchor <= lastAnchor ? 'good' : 'unproven' } }
  }
}

const bad = (problem: SignatureReason): Finding => ({ problem })

function registersOf(bundle: ProofBundle, verified: readonly BoxResult[]): Registers {
  return new Map<string, ProvenRegister | 'unread' | 'broken'>(
    (bundle.devices ?? []).map((device, i) => {
      const result = verified[i]
      const key = keyOf(device)
      try {
        return [key, result === undefined ? 'unread' : provenRegister(device, result)] as const
      } catch (cause) {
        if (!(cause instanceof FormatError)) throw cause
        return [key, 'broken'] as const
      }
    }),
  )
}

/**
 * Checks each statement, in the order of the history, which is that of arrival: does its counter stand for one statement
 * of its series, whose places come once each?
 */
function replayFinder(): (series: string, place: number, statement: Signed) => boolean {
  const seen = new Map<string, string>()
  return (series, place, { counter, signature }) => {
    const statement = `${series} ${counter}`
    const signed = String.fromCharCode(...signature)
    if ((seen.get(statement) ?? signed) !== signed || seen.has(`${statement} ${place}`)) return false
    seen.set(statement, signed).set(`${statement} ${place}`, '')
    return true
  }
}

/** A result with what was found of its signatures: a record that is not what was signed makes the box broken. */
export function withFindings(result: BoxResult, { findings, notes }: Findings): BoxResult {
  const records = result.records.map((record): RecordResult => {
    const finding = findings.get(record.seq)
    if (finding === undefined) return record
    if ('signature' in finding) return { ...record, signature: finding.signature }
    const { problem } = finding
    const words = reasonMessages[problem](`record ${record.seq}`)
    return record.verdict === 'broken' ? record : { ...record, verdict: 'broken', code: problem, words }
  })
  const reasons = records.flatMap(({ seq, code, words }, i) =>
    result.records[i]?.code === code ? [] : [{ code, words, seq } as BoxResult['reasons'][number]],
  )
  const signatures = countsOf(records)
  const statements = notes && result.verdict !== 'broken' ? { statements: notes } : {}
  if (reasons.length === 0) return { ...result, records, signatures, ...statements }
  const upTo = Math.min(result.upTo, Math.min(...reasons.map(({ seq = 1 }) => seq)) - 1)
  const words =
    result.verdict === 'broken'
      ? result.words
      : boxMessage('unsigned', { upTo, withheld: result.withheld, datedAhead: 0 })
  return {
    ...result,
    verdict: 'broken',
    words,
    reasons: [...result.reasons, ...reasons],
    upTo,
    records,
    signatures,
  }
}

function countsOf(records: readonly RecordResult[]): SignatureCounts {
  const signatures = records.flatMap(({ signature: found }) =>
    found && found.level !== 'scale' ? found : [],
  )
  const good = signatures.filter(({ state }) => state === 'good')
  return {
    sensor: good.filter(({ level }) => level === 'sensor').length,
    gateway: good.filter(({ level }) => level === 'gateway').length,
    unconfirmed: signatures.length - good.length,
  }
}

/** What the ledger says of a key, up to `lastAnchor`. */
interface ProvenRegister {
  readonly entry: RegisterEntry
  /** Index of the anchor that holds the entry; null while it waits for one. */
  readonly enteredAt: number | null
  /** Index of the anchor that holds its revocation; null while it is not revoked, or the revocation waits for one. */
  readonly revokedAt: number | null
  /** Later revocations are not known here. */
  readonly lastAnchor: number
}

/**
 * Reads the register box of a key, which was verified like any other: an entry, and perhaps its revocation.
 * 'unread': the ledger was not compared. @throws FormatError when it is no register, or not the one that the ledger holds
 */
function provenRegister(bundle: ProofBundle, result: BoxResult): ProvenRegister | 'unread' {
  if (result.verdict === 'unreachable') return 'unread'
  if (result.verdict === 'broken') throw new FormatError('$', result.words)
  const entries = bundle.records.map((record, i) => {
    if (isWithheld(record) || record.kind !== 'device')
      throw new FormatError(`$.records[${i}]`, 'must be an entry of the register')
    return parseRegisterEntry(record.data, `$.records[${i}].data`)
  })
  const [entry, revoked, ...more] = entries
  if (entry === undefined || entry.revokedAt !== null || more.length > 0)
    throw new FormatError('$.records', 'must be an entry and at most its revocation')
  const key = unhexed(entry.key)
  if (registerBoxOf(entry.id) !== bundle.box || keyIdOf(key) !== entry.id)
    throw new FormatError('$.records[0].data.id', 'is not the id of this key')
  if (revoked !== undefined && !isRevocationOf(entry, revoked))
    throw new FormatError('$.records[1].data', 'must be the same entry, revoked')
  return {
    entry,
    enteredAt: result.records[0]?.anchor?.index ?? null,
    revokedAt: result.records[1]?.anchor?.index ?? null,
    lastAnchor: bundle.anchors.at(-1)?.index ?? -1,
  }
}

const isRevocationOf = (entry: RegisterEntry, later: RegisterEntry): boolean =>
  later.revokedAt !== null &&
  later.id === entry.id &&
  later.key === entry.key &&
  later.level === entry.level &&
  later.validFrom === entry.validFrom
