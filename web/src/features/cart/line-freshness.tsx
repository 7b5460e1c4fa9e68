import type { CartLine } from '@befaqt/domain/cart'
import type { ProductBox } from '@befaqt/domain/catalogue'
import { capital, coldChainText } from '@befaqt/domain/freshness-text'
import { type AsOf, freshnessAt, unknownSince } from '@befaqt/domain/freshness-word'
import { dayText } from '@befaqt/domain/moment-text'
import { boxPath } from '@befaqt/domain/page-paths'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Stars } from '#web/components/stars.tsx'
import { useAsOf } from '#web/time/today.ts'

/**
 * What is so now of the box that a line's fish would come from, as its card says it, and the way to the box. Source:
 * freshness.md §2, §3.
 */
function LineFreshness({ box, now }: { box: ProductBox; now: AsOf }) {
  const { boxID, stage, coldChain } = box
  const { word, stars, bestBy, unknown } = freshnessAt(box, now)
  const isOver = word === 'past its best'
  const said = unknown ? unknownSince(unknown, now.today) : word
  return (
    <div className="text-sm">
      <p className="flex flex-wrap items-center gap-x-2">
        {stars !== null && !isOver && <Stars count={stars} />}
        {said && <b className={`font-semibold ${isOver || unknown ? 'text-bad' : ''}`}>{capital(said)}</b>}
        {bestBy && <span>best by {dayText(bestBy)}</span>}
      </p>
      {coldChain && (
        <p className={coldChain === 'warmed' ? 'text-warn' : 'text-slate'}>{coldChainText[coldChain]}</p>
      )}
      <p className="text-slate">
        {stage === 'at sea' ? 'Still at sea, in' : 'At the moment from'}{' '}
        <Link to={boxPath(boxID)} className="link inline-flex min-h-6 items-center">
          box {boxID}
        </Link>
      </p>
    </div>
  )
}

/** What is said of lines as of now: nothing of one whose product has no box that anything may be said of. */
export function useLineFreshness(boxes: ReadonlyMap<string, ProductBox>) {
  const now = useAsOf([...boxes.values()])
  return ({ _id }: Pick<CartLine, '_id'>): ReactNode => {
    const box = boxes.get(_id)
    return box && <LineFreshness box={box} now={now} />
  }
}

/** Below lines of which something is said: what is packed is what is due first. */
export const MayBeAnotherBox = () => (
  <p className="my-3 max-w-prose muted">
    How fresh it is, is said of the freshest box that we have of it now. What you get may come from another
    box: your order says from which one, with its date, once it is packed.
  </p>
)
