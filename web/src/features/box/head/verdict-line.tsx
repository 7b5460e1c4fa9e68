import { Suspense } from 'react'
import { Icon, type IconName } from '#web/components/icon.tsx'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { formatTime, useMarketZone } from '#web/time/time.tsx'
import { busyLine, type CheckState, type VerdictTone } from '../check/check-state.ts'
import { provenTones, usePageCheck, useVerdict } from '../check/page-check.tsx'
import { useDrawing } from '../drawn.tsx'

const FailureDetails = lazyPart(() => import('../check/failure-details.tsx'))

const looks: Record<VerdictTone, { colours: string; icon: IconName }> = {
  busy: { colours: 'border-edge bg-ice text-ink', icon: 'search' },
  good: { colours: 'border-good bg-good-ice text-good', icon: 'check' },
  own: { colours: 'border-own bg-own-ice text-own', icon: 'check' },
  waiting: { colours: 'border-warn bg-warn-ice text-warn', icon: 'pause' },
  warn: { colours: 'border-warn bg-warn-ice text-warn', icon: 'search' },
  bad: { colours: 'border-bad bg-bad-ice text-bad', icon: 'close' },
}

/** Verified or not, in one line, read out when it changes. Without script it says how to check. */
export function VerdictLine() {
  const { shop, checkShop } = usePageCheck()
  const { isDrawn, differed } = useDrawing()
  const found = useVerdict()
  const isProven = isDrawn && shop.phase === 'done' && provenTones.has(found.tone)
  // Nothing is called proven before it is drawn from what was proven.
  const { tone, title, message } = isProven || !provenTones.has(found.tone) ? found : busyLine
  const { colours, icon } = looks[tone]
  const zone = useMarketZone()
  return (
    <>
      <div
        role="status"
        data-verdict={tone}
        className={`flex min-h-24 items-start gap-3 rounded-md border-l-4 px-4 py-3 max-sm:min-h-54 print:min-h-0 print:py-1 noscript:hidden ${colours}`}
      >
        <Icon name={icon} className={`mt-0.5 size-5 ${tone === 'busy' ? 'animate-pulse' : ''}`} />
        <div key={title} className="min-w-0">
          <p className={tone === 'busy' ? 'print:hidden' : ''}>
            <b className="font-semibold">{title}.</b> <span className="text-ink">{message}</span>
          </p>
          {tone === 'busy' && (
            <>
              <p className="mt-1 muted print:hidden">Until then all below is the shop’s word.</p>
              <p className="hidden print:block">
                <b className="font-semibold">Not checked yet</b> when this was printed. Print it again when
                the page says what the check found.
              </p>
            </>
          )}
          {isProven && (
            <p className="mt-1 muted">{provenNotes(shop, (at) => formatTime(at, zone).slice(0, 10))}</p>
          )}
          {isProven && differed && (
            <p className="mt-1 text-ink text-sm">
              This page was changed after it left the shop, perhaps by your browser; it is drawn again from
              the records.
            </p>
          )}
          {shop.phase === 'done' && (tone === 'bad' || tone === 'warn') && (
            <Suspense>
              <FailureDetails state={shop} most={3} />
            </Suspense>
          )}
          {tone === 'warn' && (
            <button type="button" className="link min-h-11" onClick={() => checkShop()}>
              Check again
            </button>
          )}
        </div>
      </div>
      <p className="hidden rounded-md border-edge border-l-4 bg-ice px-4 py-3 noscript:block">
        <b className="font-semibold">Not checked.</b> Your browser runs no script, so it can't check this
        history. The section ‘Check it yourself’ says how to do it with one command.
      </p>
    </>
  )
}

type Done = Extract<CheckState, { phase: 'done' }>

/**
 * What else a shopper should know of records that were verified: what the box gave of what went in, how long after the
 * fact they were logged, and whether this browser saw them before. Source: protocol §6.5 and §7.
 */
function provenNotes({ result, memory, asked, witnesses = '' }: Done, dayOf: (at: string) => string): string {
  const notes = [
    result.balance?.words,
    witnesses,
    askedNote(asked),
    latenessNote(result),
    signatureNote(result),
    result.statements?.words,
    memoryNote(memory, dayOf),
  ]
  return notes.filter(Boolean).join(' ')
}

/** Whom the browser asked, where that was somebody else than the shop. */
const askedNote = ({ grade, hosts }: Done['asked']): string =>
  grade === 'other' ? `Asked: ${hosts.join(' and ')}.` : ''

function latenessNote({ lateness: { largestS, overAnHour }, records, reasons }: Done['result']): string {
  const ahead = reasons.filter(({ code }) => code === 'dated_ahead').length
  if (ahead > 0)
    return `${ahead} of ${records.length} records ${ahead === 1 ? 'is' : 'are'} dated later than the ledger logged them.`
  if (largestS === null) return ''
  if (overAnHour === 0) return `Each was logged within ${span(largestS)} of what it records.`
  const anchors = new Set(records.flatMap(({ anchor }) => anchor?.index ?? []))
  const atOnce = anchors.size === 1 && overAnHour > 1 ? ', all at once' : ''
  const count = overAnHour === records.length ? `All ${overAnHour}` : `${overAnHour} of ${records.length}`
  return `${count} were logged more than an hour after what they record${atOnce}, the latest ${span(largestS)} after.`
}

/** What was signed, by whom, as far as this browser found the signatures good. */
function signatureNote({ signatures: { sensor, gateway, unconfirmed } }: Done['result']): string {
  const good = [
    ...(sensor > 0 ? [`${sensor} signed by the sensor itself`] : []),
    ...(gateway > 0 ? [`${gateway} signed by a phone or gateway`] : []),
  ]
  const open = unconfirmed > 0 ? [`${unconfirmed} with a signature that could not be confirmed yet`] : []
  const parts = [...good, ...open]
  return parts.length === 0 ? '' : `Of the readings: ${parts.join(', ')}.`
}

/** Seconds in the unit that people would use. */
function span(seconds: number): string {
  const units: [size: number, name: string][] = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
  ]
  const [size, name] = units.find(([size]) => seconds >= 2 * size) ?? [1, 'second']
  const count = Math.max(1, Math.round(seconds / size))
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

function memoryNote(memory: Done['memory'], dayOf: (at: string) => string): string {
  return memory?.before ? `They continue what this browser verified on ${dayOf(memory.before.at)}.` : ''
}
