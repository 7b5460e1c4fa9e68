import type { ProofBundle } from '../bundle.ts'
import { isWithheld } from '../bundle-parts.ts'
import { unhexed } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import type { BoxResult } from '../verdict.ts'
import { keyIdOf, parseRegisterEntry, type RegisterEntry, registerBoxOf } from './device-register.ts'

/** What the ledger says of a key, up to `lastAnchor`. */
export interface ProvenRegister {
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
export function provenRegister(bundle: ProofBundle, result: BoxResult): ProvenRegister | 'unread' {
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
  if (registerBoxOf(entry.id) !== bundle.box || keyIdOf(unhexed(entry.key)) !== entry.id)
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
