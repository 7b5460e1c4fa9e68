import type { BoxResult } from '@befaqt/provenance/verdict'
import type { AlertTone } from '#web/components/alert.tsx'
import type { CheckState, Found } from './check-state.ts'

/** `good` is said only of a history that the browser itself found unchanged and whole, and of a page that shows it. */
export type VerdictTone = 'busy' | 'good' | 'waiting' | 'warn' | 'bad'

/** How an alert with a verdict looks. */
export const alertTones: Record<VerdictTone, AlertTone> = {
  busy: 'info',
  good: 'good',
  waiting: 'warn',
  warn: 'warn',
  bad: 'bad',
}

export type VerdictLine = { tone: VerdictTone; title: string; message: string }

/**
 * The check in one line for the head of the page. Source: protocol §6.6.
 * @param boxID the box of the page; a proof of another one says nothing about it
 */
export function verdictLine(state: CheckState, boxID: string): VerdictLine {
  if (state.phase === 'waiting' || state.phase === 'checking')
    return {
      tone: 'busy',
      title: 'Checking the records',
      message: 'Your browser compares them with the public ledger.',
    }
  if (state.phase === 'failed') return { tone: 'warn', title: 'Not checked', message: state.message }
  return otherProof(state, boxID) ?? otherPage(state) ?? recordsLine(state.result)
}

/** A proof that is none, or another box's. */
function otherProof(
  { result, source }: Extract<CheckState, { phase: 'done' }>,
  boxID: string,
): VerdictLine | null {
  if (result.box === null)
    return {
      tone: 'bad',
      title: 'Not a BeFAQT proof',
      message: `${source.from === 'file' ? 'This file' : 'What the shop sent'} is not written the way proofs are, so nothing was checked.`,
    }
  if (result.box === boxID) return null
  return {
    tone: source.from === 'file' ? 'warn' : 'bad',
    title: `For box ${result.box}`,
    message: 'This proof is of another box, so it says nothing about this one.',
  }
}

/** True records, but another page, or another history than this browser saw before. */
function otherPage({ page, memory }: Found): VerdictLine | null {
  if (memory?.forked)
    return {
      tone: 'bad',
      title: 'Another history',
      message: 'This browser verified other records of this box before. They were rewritten since.',
    }
  if (page?.kind === 'differs')
    return {
      tone: 'bad',
      title: 'Doesn’t match',
      message: 'What this page shows differs from the proven records. Don’t rely on it.',
    }
  if (page?.kind === 'older')
    return {
      tone: 'bad',
      title: 'Newer records not shown',
      message: `${page.missing === 1 ? '1 record' : `${page.missing} records`} of this box came later than this page shows.`,
    }
  return null
}

function recordsLine(result: BoxResult): VerdictLine {
  const { verdict, upTo, withheld } = result
  const { tone, title } = verdictTitles(upTo)[verdict]
  const named = withheld > 0 && (tone === 'good' || upTo > 0)
  return {
    tone,
    title: named ? `${title}, ${withheld} withheld` : title,
    message: brokenRecords(result) ?? provenText(result),
  }
}

const verdictTitles = (upTo: number): Record<BoxResult['verdict'], { tone: VerdictTone; title: string }> => ({
  verified: { tone: 'good', title: 'Records verified' },
  'verified-up-to':
    upTo === 0
      ? { tone: 'waiting', title: 'Not verified yet' }
      : { tone: 'waiting', title: `Verified up to record ${upTo}` },
  incomplete: { tone: 'bad', title: 'Records may be missing' },
  broken: { tone: 'bad', title: 'Altered' },
  absent: { tone: 'bad', title: 'Never recorded' },
  unreachable: { tone: 'warn', title: 'Can’t check right now' },
})

function provenText({ verdict, words, withheld }: BoxResult): string {
  if (verdict !== 'verified') return words
  const left = withheld === 0 ? '' : ' The figures leave withheld records out.'
  return `Nothing was changed or removed since they were logged.${left} This says nothing about the fish itself.`
}

const signatureCodes: readonly string[] = ['signature_mismatch', 'counter_repeated', 'key_not_valid']

/** Names the broken records, at most three of them; null when none is. */
export function brokenRecords({ records }: BoxResult): string | null {
  const broken = records.filter(({ verdict }) => verdict === 'broken')
  const [first] = broken
  if (first === undefined) return null
  const isUnsigned = broken.every(({ code }) => signatureCodes.includes(code))
  const [verb, rest] = isUnsigned ? ['are', 'what their devices signed'] : ['do', 'match the ledger']
  if (broken.length > 3) return `${broken.length} records, from number ${first.seq} on, ${verb} not ${rest}.`
  if (broken.length > 1) return `Records ${listed(broken.map(({ seq }) => seq))} ${verb} not ${rest}.`
  return `Record ${first.seq} ${isUnsigned ? 'is not what its device signed' : 'does not match the ledger'}.`
}

const listed = (numbers: number[]): string => `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`
