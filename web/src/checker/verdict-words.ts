import { logMessage } from '@befaqt/provenance/log-message'
import { OWN_LEDGER } from '@befaqt/provenance/messages'
import type { BoxResult } from '@befaqt/provenance/verdict'
import type { Found } from './check.ts'
import { some } from './dom.ts'

export type Tone = 'good' | 'own' | 'warn' | 'bad'

/** A verdict: what is found in a few words, and what that is worth. */
export interface Verdict {
  readonly tone: Tone
  readonly title: string
  readonly message: string
  /** Who vouched for it, and who was not asked. */
  readonly by: readonly string[]
}

/** What came of a check, by whom it was proven. Source: protocol §6.7, witness.md 'Whose policy'. */
export const verdictOf = (found: Found): Verdict => ({ ...headOf(found), by: vouchedBy(found) })

function headOf(found: Found): Omit<Verdict, 'by'> {
  const { result, asked } = found
  if (result.reasons.some(({ code }) => code === 'other_format'))
    return { tone: 'warn', title: 'In another format', message: result.words }
  if (result.box === null)
    return {
      tone: 'bad',
      title: 'Not a BeFAQT proof',
      message: 'It is not written the way proofs are, so nothing was checked.',
    }
  const isOwn = asked.grade === 'own'
  switch (result.verdict) {
    case 'broken': {
      const title = result.balance === undefined ? 'Altered' : 'Does not add up'
      return { tone: 'bad', title, message: `${result.words} Nothing of it is drawn as a fact.` }
    }
    case 'incomplete':
      return { tone: 'bad', title: 'Records may be missing', message: result.words }
    case 'absent':
      return isOwn
        ? { tone: 'own', title: 'Never recorded, by the ledger that the shop names', message: result.words }
        : { tone: 'bad', title: 'Never recorded', message: result.words }
    case 'unreachable':
      return unreadHead(found)
    default:
      return provenHead(result, isOwn)
  }
}

/** No ledger was read, and no quorum has signed what the proof shows. */
function unreadHead({ result, askedNobody, policyIs }: Found): Omit<Verdict, 'by'> {
  if (!askedNobody) return { tone: 'warn', title: 'Can’t check right now', message: result.words }
  if (policyIs === 'chosen' || policyIs === 'shops')
    return {
      tone: 'warn',
      title: 'Not proven',
      message: 'What witnesses signed does not prove this box under the policy, and no node was asked.',
    }
  return {
    tone: 'warn',
    title: 'Nobody was asked',
    message:
      'The records may fit each other, but nothing was compared with a ledger or with what witnesses signed. Name a node, or choose a policy.',
  }
}

function provenHead(
  { verdict, upTo, words, balance, statements }: BoxResult,
  isOwn: boolean,
): Omit<Verdict, 'by'> {
  if (upTo === 0) return { tone: 'warn', title: 'Not verified yet', message: words }
  const until = verdict === 'verified' ? '' : ` up to record ${upTo}`
  if (isOwn)
    return { tone: 'own', title: OWN_LEDGER.replace('Unchanged', `Unchanged${until}`), message: words }
  if (balance != null && balance.raised !== null)
    return {
      tone: 'warn',
      title: 'Unchanged, but its weight was raised',
      message: `${words} ${balance.words}`,
    }
  if (statements?.lacking)
    return {
      tone: 'warn',
      title: `Unchanged${until}, but signed statements are missing`,
      message: `${words} ${statements.words}`,
    }
  return {
    tone: verdict === 'verified' ? 'good' : 'warn',
    title: verdict === 'verified' ? 'Records verified' : `Verified${until}`,
    message: `${words} This says nothing about the fish itself.`,
  }
}

function vouchedBy(found: Found): string[] {
  return [...witnessLines(found), ...chainLines(found)]
}

function witnessLines({ result: { log, upTo }, policyIs, order: { policy } }: Found): string[] {
  if (policyIs === 'unusable')
    return [
      'Witnesses: this browser can’t check signatures here, so your policy was not used. Open this file from your disk or over https, in a newer browser.',
    ]
  if (log === undefined) return ['Witnesses: none were asked for, and the proof brings no log.']
  const words = `Witnesses: ${logMessage(log)}`
  if (policyIs === 'none' || log.n === 0) return [words]
  if (policyIs === 'shops')
    return [
      `${words.replace(/\.$/, '')}, by witnesses that the shop names. A shop can name whom it likes: choose a policy from somebody else.`,
    ]
  const later = log.state === 'witnessed' && log.upTo < upTo
  return [
    words,
    `The policy is ${policy?.from}.`,
    ...(later
      ? [`Records after ${log.upTo} are not yet witnessed: they are proven by the chain alone.`]
      : []),
  ]
}

function chainLines({ asked, askedNobody, order: { nodes } }: Found): string[] {
  const { hosts, chainId, grade } = asked
  if (askedNobody) return ['Chain: no node was asked.']
  const names = hosts.join(' and ')
  if (chainId === null) return [`Chain: ${names} did not answer as a ledger does.`]
  const whose =
    grade === 'other'
      ? 'which you named, and which the shop does not run as far as its address tells.'
      : nodes.length > 0
        ? 'which you named, and which may be the shop’s own.'
        : 'the node of the shop itself.'
  const development =
    chainId === 31337 ? ' Chain 31337 is a development chain and no independent witness.' : ''
  return [`Chain: ${names}, which says that it is chain ${chainId}: ${whose}${development}`]
}

/** By whom a record is proven, in a few words; null: it is not. */
export function recordProof({ result, asked }: Found, i: number): string | null {
  const record = result.records[i]
  if (record === undefined || (record.verdict !== 'anchored' && record.verdict !== 'withheld')) return null
  const { log } = result
  const isWitnessed = log?.state === 'witnessed' && record.seq <= log.upTo
  if (isWitnessed && asked.grade === 'witnessed') return `witnessed ${log.k} of ${log.n}`
  if (isWitnessed && asked.chainId === null) return 'by witnesses that the shop names'
  return asked.grade === 'other' ? 'on the chain that you asked' : 'on the shop’s ledger'
}

/** What else the check says of all records. */
export function asides({ lateness, signatures, statements, withheld }: BoxResult): string[] {
  const { sensor, gateway, unconfirmed } = signatures
  return [
    ...(lateness.largestS === null ? [] : [`The latest record was logged ${lateText(lateness.largestS)}.`]),
    ...(lateness.overAnHour > 0
      ? [`${some(lateness.overAnHour, 'record')} came more than an hour after what they record.`]
      : []),
    ...(sensor + gateway + unconfirmed > 0
      ? [
          `Signed readings: ${sensor} by the sensor, ${gateway} by a phone or gateway, ${unconfirmed} not confirmed.`,
        ]
      : []),
    ...(statements === undefined ? [] : [statements.words]),
    ...(withheld > 0
      ? [`${some(withheld, 'record')} withheld: their content was removed, their fingerprints are unchanged.`]
      : []),
  ]
}

/** How long after what it records a record was logged. */
export function lateText(seconds: number): string {
  if (seconds < 0) return 'ahead of its own time'
  if (seconds < 120) return `${some(seconds, 'second')} after what it records`
  if (seconds < 7200) return `${some(Math.round(seconds / 60), 'minute')} after what it records`
  return seconds < 172_800
    ? `${some(Math.round(seconds / 3600), 'hour')} after what it records`
    : `${some(Math.round(seconds / 86_400), 'day')} after what it records`
}
