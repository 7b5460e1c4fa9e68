import { Link } from 'react-router'
import { formatTime, useMarketZone } from '#web/time/time.tsx'
import type { CheckState } from './check-state.ts'
import { failureReasons, whatToDo } from './failure-reasons.ts'
import { forgetState } from './kept-by-browser.ts'
import { forgetNote } from './kept-log.ts'
import { usePageCheck } from './page-check.tsx'

type Props = {
  state: Extract<CheckState, { phase: 'done' }>
  /** Reasons shown at once; a thoroughly broken history has hundreds. */
  most: number
}

/** Why a check failed, most specific first, each leading to its record, and what to do. Fetched when one fails. */
export default function FailureDetails({ state, most }: Props) {
  const { page, checkShop } = usePageCheck()
  const zone = useMarketZone()
  const { box, records } = page.view
  const forget = async () => {
    if (state.memory?.forked) forgetState(box.boxID)
    else await forgetNote()
  }
  const reasons = failureReasons(state, records, (at) => formatTime(at, zone))
  return (
    <div className="mt-2 grid gap-2 text-ink">
      {reasons.length > 0 && (
        <ul className="grid list-disc gap-1 pl-5">
          {reasons.slice(0, most).map(({ text, seq }) => (
            <li key={text} className="break-words">
              {seq === undefined ? (
                text
              ) : (
                <Link to={`?records=${seq}#record-${seq}`} className="link">
                  {text}
                </Link>
              )}
            </li>
          ))}
          {reasons.length > most && <li>and {reasons.length - most} more</li>}
        </ul>
      )}
      <p>
        <b className="font-semibold">What to do:</b> {whatToDo(state, box.boxID)}
      </p>
      {(state.memory?.forked || state.seen) && (
        <p className="flex flex-wrap gap-x-6">
          {state.seen && (
            <Link to="/SFMBox/check" className="link tap">
              Compare it with the shop’s log of now
            </Link>
          )}
          <button
            type="button"
            className="link min-h-11"
            onClick={() => void forget().then(() => checkShop())}
          >
            Forget what this browser saw
          </button>
        </p>
      )}
    </div>
  )
}
