import { verifyEd25519 } from '#ed25519'
import type { ProofBundle } from '../bundle.ts'
import { isWithheld } from '../bundle-parts.ts'
import { unhexed } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import { latenessIn } from '../lateness.ts'
import type { RecordOfAnyKind } from '../record.ts'
import { blockTimeSeconds } from '../timestamps.ts'
import type { BoxResult, RecordResult, SignatureReason, SignatureResult } from '../verdict.ts'
import { registerBoxOf } from './device-register.ts'
import { type ProvenRegister, provenRegister } from './proven-register.ts'
import {
  isMarkedSigned,
  markedReading,
  parseSignedMark,
  readMarkedStatement,
  type SignedMark,
} from './signed-data.ts'
import type { Statement } from './statement.ts'

/** What a bundle says of keys: what the ledger proves, why it proves nothing, or nothing at all. */
type Registers = ReadonlyMap<string, ProvenRegister | 'unread' | 'broken'>

/** What was found of one record: a state of its signature, or what is wrong with it. */
export type Finding = { readonly signature: SignatureResult } | { readonly problem: SignatureReason }

/** Signatures that are checked at the same time. */
const AT_ONCE = 256

/**
 * Checks the signature of every record that says it was signed, with the keys whose register boxes the bundle carries.
 * @param verified the results of these, in the order of `bundle.devices`
 * @returns a finding for each signed record, by its `seq`
 */
export async function checkSignatures(
  bundle: ProofBundle,
  result: BoxResult,
  verified: readonly BoxResult[],
  timeZone: string,
): Promise<ReadonlyMap<number, Finding>> {
  const registers = registersOf(bundle, verified)
  const isFresh = replayFinder()
  const latenessFrom = latenessIn(timeZone)
  const marked = bundle.records.flatMap((record, i) => {
    const found = result.records[i]
    return !isWithheld(record) && found !== undefined && isMarkedSigned(record.data)
      ? [{ record, found }]
      : []
  })
  const findings = new Map<number, Finding>()
  for (let from = 0; from < marked.length; from += AT_ONCE) {
    const part = await Promise.all(marked.slice(from, from + AT_ONCE).map(read))
    for (const one of part) {
      const { seq } = one.record
      findings.set(seq, one.statement === undefined ? bad('signature_mismatch') : judge(one, one.statement))
    }
  }
  return findings

  async function read(one: { record: RecordOfAnyKind; found: RecordResult }) {
    try {
      const mark = parseSignedMark(one.record.data.signed)
      const statement = await readMarkedStatement(mark)
      markedReading(one.record.data, mark, statement)
      if (statement.box !== bundle.box || statement.key !== mark.key || one.record.kind !== 'tracking')
        throw new FormatError('$', 'was signed about something else')
      const register = registers.get(mark.key)
      const key = typeof register === 'object' ? unhexed(register.entry.key) : undefined
      const isSigned = key && (await verifyEd25519(key, statement.message, statement.signature))
      return { ...one, mark, statement, register, isSigned }
    } catch (cause) {
      if (!(cause instanceof FormatError || cause instanceof TypeError)) throw cause
      return { ...one, statement: undefined }
    }
  }

  function judge(one: Awaited<ReturnType<typeof read>>, statement: Statement): Finding {
    const { record, found, mark, register, isSigned } = one as Extract<typeof one, { mark: SignedMark }>
    if (isSigned === false) return bad('signature_mismatch')
    if (!isFresh(mark, statement)) return bad('counter_repeated')
    if (register === 'broken') return bad('key_not_valid')
    const told = { level: mark.level, key: mark.key }
    if (register === undefined || register === 'unread' || isSigned === undefined)
      return { signature: { ...told, state: register === undefined ? 'unproven' : 'unchecked' } }
    const { entry, enteredAt, revokedAt, lastAnchor } = register
    const validFrom = blockTimeSeconds(entry.validFrom) ?? 0
    const early = latenessFrom(record.at, validFrom) ?? 0
    if (entry.level !== mark.level || early > 0) return bad('key_not_valid')
    const anchor = found.verdict === 'anchored' ? found.anchor?.index : undefined
    if (anchor === undefined || enteredAt === null)
      return { signature: { ...told, state: found.verdict === 'unchecked' ? 'unchecked' : 'pending' } }
    if (anchor < enteredAt || (revokedAt !== null && anchor > revokedAt)) return bad('key_not_valid')
    return { signature: { ...told, state: anchor <= lastAnchor ? 'good' : 'unproven' } }
  }
}

const bad = (problem: SignatureReason): Finding => ({ problem })

function registersOf(bundle: ProofBundle, verified: readonly BoxResult[]): Registers {
  const prefix = registerBoxOf('')
  return new Map<string, ProvenRegister | 'unread' | 'broken'>(
    (bundle.devices ?? []).map((device, i) => {
      const result = verified[i]
      const key = device.box.slice(prefix.length)
      try {
        return [key, result === undefined ? 'unread' : provenRegister(device, result)] as const
      } catch (cause) {
        if (!(cause instanceof FormatError)) throw cause
        return [key, 'broken'] as const
      }
    }),
  )
}

/** Checks each statement, in the order of the history: does its counter grow from the key's last one? */
function replayFinder(): (mark: SignedMark, statement: Statement) => boolean {
  const last = new Map<string, { counter: number; signature: string; place: number }>()
  return (mark, { counter, signature }) => {
    const before = last.get(mark.key)
    const place = mark.form === 'cose' ? mark.place : 0
    const now = { counter, signature: signature.join(), place }
    const goesOn = before === undefined || counter > before.counter
    const sameOne = before?.counter === counter && before.signature === now.signature && place > before.place
    if (!goesOn && !sameOne) return false
    last.set(mark.key, now)
    return true
  }
}
