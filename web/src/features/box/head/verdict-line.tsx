import { Suspense } from 'react'
import { Icon, type IconName } from '#web/components/icon.tsx'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { formatTime, useMarketZone } from '#web/time/time.tsx'
import { usePageCheck } from '../check/page-check.tsx'
import { provenNotes } from '../check/proven-notes.ts'
import { type VerdictTone, verdictLine } from '../check/verdict-line.ts'

const FailureDetails = lazyPart(() => import('../check/failure-details.tsx'))

const looks: Record<VerdictTone, { colours: string; icon: IconName }> = {
  busy: { colours: 'border-edge bg-ice text-ink', icon: 'search' },
  good: { colours: 'border-good bg-good-ice text-good', icon: 'check' },
  waiting: { colours: 'border-warn bg-warn-ice text-warn', icon: 'pause' },
  warn: { colours: 'border-warn bg-warn-ice text-warn', icon: 'search' },
  bad: { colours: 'border-bad bg-bad-ice text-bad', icon: 'close' },
}

/** The verdict on the page that this stands on. */
export function useVerdict() {
  const { shop, page } = usePageCheck()
  return verdictLine(shop, page.view.box.boxID)
}

/**
 * Verified or not, in one line, read out when it changes. Without script it says how to check.
 * @param isAnchoredAnew the shop says that another contract held the records before
 */
export function VerdictLine({ isAnchoredAnew }: { isAnchoredAnew: boolean }) {
  const { shop, checkShop } = usePageCheck()
  const { tone, title, message } = useVerdict()
  const { colours, icon } = looks[tone]
  const zone = useMarketZone()
  const isProven = shop.phase === 'done' && (tone === 'good' || tone === 'waiting')
  return (
    <>
      <div
        role="status"
        data-verdict={tone}
        className={`flex min-h-24 items-start gap-3 rounded-md border-l-4 px-4 py-3 max-sm:min-h-48 noscript:hidden ${colours}`}
      >
        <Icon name={icon} className={`mt-0.5 size-5 ${tone === 'busy' ? 'animate-pulse' : ''}`} />
        <div key={title} className="min-w-0">
          <p className={tone === 'busy' ? 'print:hidden' : ''}>
            <b className="font-semibold">{title}.</b> <span className="text-ink">{message}</span>
          </p>
          {tone === 'busy' && (
            <p className="hidden print:block">
              <b className="font-semibold">Not checked yet</b> when this was printed. Print it again when the
              page says what the check found.
            </p>
          )}
          {isProven && (
            <p className="mt-1 text-slate text-sm">
              {provenNotes(shop, (at) => formatTime(at, zone).slice(0, 10))}
              {isAnchoredAnew && ' Anchored anew: the shop had them in another contract before.'}
            </p>
          )}
          {shop.phase === 'done' && (tone === 'bad' || tone === 'warn') && (
            <Suspense>
              <FailureDetails state={shop} most={3} />
            </Suspense>
          )}
          {tone === 'warn' && (
            <button type="button" className="link min-h-11" onClick={() => checkShop(null)}>
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
