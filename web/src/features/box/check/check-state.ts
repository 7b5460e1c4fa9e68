import type { Asked } from '@befaqt/provenance/asked'
import { OWN_LEDGER } from '@befaqt/provenance/messages'
import type { BoxResult, Reason, VerifyStep } from '@befaqt/provenance/verdict'
import type { AlertTone } from '#web/components/alert.tsx'
import type { RememberedState } from './kept-by-browser.ts'
import type { PageMatch } from './page-match.ts'

/** Where a proof came from: this shop, or a file that the visitor picked. */
export type ProofSource = { from: 'shop' } | { from: 'file'; name: string }

/** What this browser saw of the box before, whether the proof continues it, and what to remember from now on. */
export type Memory = { before: RememberedState | null; forked: boolean; now: RememberedState | null }

/** What a check found, who was asked, and how long it took. */
export type Found = {
  result: BoxResult
  asked: Asked
  /** What the log of the proof is worth, in a sentence; absent where neither proof nor visitor brought one. */
  witnesses?: string
  tookMs: number
  /** How the page compares with the records; null when the proof is not this page's, or proves nothing. */
  page: PageMatch | null
  /** null when the proof is not this page's, or proves nothing. */
  memory: Memory | null
  /** What is wrong with the log of the proof beside what this browser saw of the log before; absent: nothing. */
  seen?: VerdictLine
}

/** The state of the browser's own check of a box. `failed`: there was no proof to check. */
export type CheckState =
  | { phase: 'waiting' }
  | { phase: 'checking'; source: ProofSource; steps: VerifyStep[] }
  | ({ phase: 'done'; source: ProofSource; steps: VerifyStep[] } & Found)
  | { phase: 'failed'; source: ProofSource; steps: VerifyStep[]; message: string }

export type CheckEvent =
  | { type: 'forget' }
  | { type: 'start'; source: ProofSource }
  | { type: 'step'; step: VerifyStep }
  | ({ type: 'done' } & Found)
  | { type: 'failed'; message: string }

/** Steps and answers count only while a check runs; a new start forgets what was found before. */
export function nextCheck(state: CheckState, event: CheckEvent): CheckState {
  if (event.type === 'forget') return { phase: 'waiting' }
  if (event.type === 'start') return { phase: 'checking', source: event.source, steps: [] }
  if (state.phase !== 'checking') return state
  if (event.type === 'step') return { ...state, steps: [...state.steps, event.step] }
  if (event.type === 'failed') return { ...state, phase: 'failed', message: event.message }
  const { type: phase, ...found } = event
  return { ...state, ...found, phase }
}

/** The only objection is newer anchors: one may have been made after the shop sent its proof. */
export const mayBeStale = (event: CheckEvent): boolean =>
  event.type === 'done' &&
  event.result.verdict === 'incomplete' &&
  event.result.reasons.every(({ code }) => code === 'newer_anchor')

/**
 * `good` is said only of a history that the browser itself found unchanged and whole, by a ledger that others than the
 * shop vouch for, and of a page that shows it; `own`: the shop alone vouches for the ledger.
 */
export type VerdictTone = 'busy' | 'good' | 'own' | 'waiting' | 'warn' | 'bad'

/** How an alert with a verdict looks. */
export const alertTones: Record<VerdictTone, AlertTone> = {
  busy: 'info',
  good: 'good',
  own: 'own',
  waiting: 'warn',
  warn: 'warn',
  bad: 'bad',
}

export type VerdictLine = { tone: VerdictTone; title: string; message: string }

/**
 * Before anything is found. At least as long as what comes in its place: else the page's largest paint would be that,
 * seconds later.
 */
export const busyLine: VerdictLine = {
  tone: 'busy',
  title: 'Checking the records',
  message:
    'Your browser fetches the records of this box, computes the fingerprint of each again and compares all of them with the ledger.',
}

/**
 * The check in one line for the head of the page. Source: protocol §6.6.
 * @param boxID the box of the page; a proof of another one says nothing about it
 */
export function verdictLine(state: CheckState, boxID: string): VerdictLine {
  if (state.phase === 'waiting' || state.phase === 'checking') return busyLine
  if (state.phase === 'failed') return { tone: 'warn', title: 'Not checked', message: state.message }
  return otherProof(state, boxID) ?? otherPage(state) ?? state.seen ?? recordsLine(state)
}

/** A proof that is none, or another box's. */
function otherProof(
  { result, source }: Extract<CheckState, { phase: 'done' }>,
  boxID: string,
): VerdictLine | null {
  if (result.reasons.some(({ code }) => code === 'other_format'))
    return { tone: 'warn', title: 'In another format', message: result.words }
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

/** A page that shows another box than the one of its address: whatever its check finds. */
export const otherBoxLine = (shown: string, asked: string): VerdictLine => ({
  tone: 'bad',
  title: `For box ${shown}`,
  message: `The shop answered with the page of another box. You asked for box ${asked}: this says nothing about it.`,
})

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

/** True records on a true page, beside a picture or data file that is not the one that its record names. */
export const otherFileLine: VerdictLine = {
  tone: 'bad',
  title: 'Doesn’t match',
  message: 'A picture or data file of this page is not the one that its record names. Don’t rely on it.',
}

function recordsLine({ result, asked }: Found): VerdictLine {
  const { verdict, upTo, withheld } = result
  if (asked.grade === 'own' && (verdict === 'verified' || upTo > 0) && result.reasons.every(isAside))
    return ownLine(result)
  const { tone, title } = result.balance && verdict === 'broken' ? unbalanced : verdictTitles(upTo)[verdict]
  const named = withheld > 0 && (tone === 'good' || upTo > 0)
  return {
    tone: tone === 'good' && (result.balance?.raised || result.statements?.lacking) ? 'own' : tone,
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

/** Only what adds up has a balance, or it is what makes the box broken. */
const unbalanced = { tone: 'bad', title: 'Doesn’t add up' } as const

/** What keeps no history from being unchanged. */
const isAside = ({ code }: Reason): boolean => code === 'dated_ahead'

/** Unchanged as far as the shop's own ledger goes. Source: protocol §6.7. */
function ownLine({ verdict, upTo, withheld }: BoxResult): VerdictLine {
  const left =
    withheld === 0
      ? ''
      : `${withheld === 1 ? '1 record is' : `${withheld} records are`} withheld, and the figures leave ${withheld === 1 ? 'it' : 'them'} out. `
  if (verdict === 'verified')
    return { tone: 'own', title: OWN_LEDGER, message: `${left}This says nothing about the fish itself.` }
  return {
    tone: 'waiting',
    title: OWN_LEDGER.replace('Unchanged', `Unchanged up to record ${upTo}`),
    message: `${left}Newer records wait for the next anchor.`,
  }
}

function provenText({ verdict, words, withheld }: BoxResult): string {
  if (verdict !== 'verified') return words
  const left = withheld === 0 ? '' : ' The figures leave withheld records out.'
  return `Nothing was changed or removed since they were logged.${left} This says nothing about the fish itself.`
}

/** Reasons of `SignatureReason`. */
const ofSignatures = /^(signature|counter|chain|key)_/

/** Names what was changed, or the broken records, at most three of them; null when none is. */
function brokenRecords(result: BoxResult): string | null {
  return changedRecords(result.reasons) ?? otherwiseBroken(result)
}

/** Records that do not lead to the ledger's heads: one, some, or one of many that share an anchor; null without any. */
function changedRecords(reasons: readonly Reason[]): string | null {
  const changed = reasons.filter(({ code, seq }) => code === 'head_mismatch' && seq !== undefined)
  const [first] = changed
  if (first === undefined) return null
  if (changed.length === 1) return first.words
  if (changed.every(({ lastSeq }) => lastSeq === undefined) && changed.length <= 3)
    return `Records ${listed(changed.map(({ seq }) => seq ?? 0))} were changed after they were anchored.`
  const more = changed.length - 1
  return `${first.words} And ${more === 1 ? '1 other was' : `at least ${more} others were`}.`
}

function otherwiseBroken({ records }: BoxResult): string | null {
  const broken = records.filter(({ verdict }) => verdict === 'broken')
  const [first] = broken
  if (first === undefined) return null
  const isUnsigned = broken.every(({ code }) => ofSignatures.test(code))
  const [verb, rest] = isUnsigned ? ['are', 'what their devices signed'] : ['do', 'match the ledger']
  if (broken.length > 3) return `${broken.length} records, from number ${first.seq} on, ${verb} not ${rest}.`
  if (broken.length > 1) return `Records ${listed(broken.map(({ seq }) => seq))} ${verb} not ${rest}.`
  return `Record ${first.seq} ${isUnsigned ? 'is not what its device signed' : 'does not match the ledger'}.`
}

const listed = (numbers: number[]): string => `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`

/**
 * What a saved proof says beside the history that this page has proven: that they are two histories of one box, or that
 * the page's continues an older file. null where the file alone says more, or the page has proven nothing.
 * Source: protocol §6, Two bundles.
 */
export function fileBesidePage(file: CheckState, shop: CheckState): VerdictLine | null {
  if (file.phase !== 'done' || shop.phase !== 'done' || file.source.from !== 'file') return null
  const [kept, shown] = [file.result, shop.result]
  const isBroken = kept.verdict === 'broken' || kept.verdict === 'unreachable' || kept.records.length === 0
  if (kept.box === null || kept.box !== shown.box || isBroken || !isProven(shop)) return null
  const other = kept.records.findIndex(({ recordHash }, i) => {
    const same = shown.records[i]?.recordHash
    return same !== undefined && same !== recordHash
  })
  if (other !== -1)
    return {
      tone: 'bad',
      title: 'Another history',
      message: `Record ${other + 1} of this file is not the one that this page shows. One box has two histories: keep the file, and ask the seller.`,
    }
  const count = kept.records.length
  if (kept.verdict !== 'incomplete' || count > shown.records.length) return null
  return {
    tone: shop.asked.grade === 'own' ? 'own' : 'good',
    title: 'Continued',
    message: `The ${count} records of this file are the first of the ${shown.records.length} that this page has proven. None of them was changed or removed since.`,
  }
}

const isProven = ({ result, memory, seen }: Extract<CheckState, { phase: 'done' }>): boolean =>
  (result.verdict === 'verified' || result.verdict === 'verified-up-to') && !memory?.forked && !seen
