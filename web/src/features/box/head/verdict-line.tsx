import { Icon, type IconName } from '#web/components/icon.tsx'
import { type VerdictTone, verdictLine } from '../check/check-state.ts'
import { usePageCheck } from '../check/page-check.tsx'

const looks: Record<VerdictTone, { colours: string; icon: IconName }> = {
  busy: { colours: 'border-edge bg-ice text-ink', icon: 'search' },
  good: { colours: 'border-good bg-good-ice text-good', icon: 'check' },
  waiting: { colours: 'border-warn bg-warn-ice text-warn', icon: 'pause' },
  warn: { colours: 'border-warn bg-warn-ice text-warn', icon: 'search' },
  bad: { colours: 'border-bad bg-bad-ice text-bad', icon: 'close' },
}

/** Verified or not, in one line, read out when it changes. Without script it says how to check. */
export function VerdictLine() {
  const { tone, title, message } = verdictLine(usePageCheck().shop)
  const { colours, icon } = looks[tone]
  return (
    <>
      <p
        role="status"
        data-verdict={tone}
        className={`flex items-start gap-3 rounded-md border-l-4 px-4 py-3 max-sm:min-h-32 noscript:hidden ${colours}`}
      >
        <Icon name={icon} className={`mt-0.5 size-5 ${tone === 'busy' ? 'animate-pulse' : ''}`} />
        <span key={title}>
          <b className="font-semibold">{title}.</b> <span className="text-ink">{message}</span>
        </span>
      </p>
      <p className="hidden rounded-md border-edge border-l-4 bg-ice px-4 py-3 noscript:block">
        <b className="font-semibold">Not checked.</b> Your browser runs no script, so it can't check this
        history. The section ‘Check it yourself’ says how to do it with one command.
      </p>
    </>
  )
}
