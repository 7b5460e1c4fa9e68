import type { OrderBox, OrderView } from '@befaqt/domain/api/order-api'
import { boxPath } from '@befaqt/domain/page-paths'
import { Link } from 'react-router'
import type { Part } from '#web/api/part.ts'
import { Stars } from '#web/components/stars.tsx'
import { dayText } from '#web/time/day.ts'
import { useToday } from '#web/time/today.ts'
import { unknownSince } from '#web/time/unknown-since.ts'

type Line = OrderView['lines'][number]

/** How fresh a box was when it was sold. */
function Freshness({ box }: { box: OrderBox }) {
  const today = useToday()
  const { word, stars, bestBy, unknown } = box.freshness
  const isOver = word === 'past its best'
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      {stars !== null && !isOver && <Stars count={stars} />}
      <span className={isOver || unknown ? 'font-semibold text-bad' : ''}>
        {unknown ? unknownSince(unknown, today) : (word ?? 'not assessed')}
      </span>
      {bestBy && <span>best by {dayText(bestBy)}</span>}
      <span className="text-slate">{box.soldAt === null ? 'now' : 'when it was packed'}</span>
    </span>
  )
}

/** The boxes behind a line: how much came from each, how fresh it was, its journey and the check of its records. */
export function LineBoxes({ line, boxes }: { line: Line; boxes: Part<OrderBox[]> }) {
  const unit = line.orderedGrams === null ? line.unit : 'g'
  return (
    <ul className="mt-3 grid gap-3" aria-label={`Boxes of ${line.title}`}>
      {line.boxes.map(({ boxID, amount, recall }) => {
        const box = boxes.value?.find((one) => one.boxID === boxID)
        return (
          <li key={boxID} className="rounded-md bg-ice px-4 py-3 text-sm">
            <p>
              {amount.toLocaleString('en-AU')} {unit} from box <b className="font-semibold">{boxID}</b>
              {box?.species && `, ${box.species}`}
            </p>
            {recall !== null && (
              <p className="font-semibold text-bad">This box is recalled, do not eat from it: {recall}</p>
            )}
            {box && recall === null && <Freshness box={box} />}
            {boxes.error !== null && (
              <p className="text-slate">How fresh it was could not be read: {boxes.error}</p>
            )}
            <p className="no-print flex flex-wrap gap-x-5">
              <Link to={boxPath(boxID)} className="link inline-flex min-h-11 items-center">
                See its journey<span className="sr-only">, box {boxID}</span>
              </Link>
              <Link to={`${boxPath(boxID)}#check`} className="link inline-flex min-h-11 items-center">
                Check its records<span className="sr-only"> of box {boxID}</span>
              </Link>
            </p>
          </li>
        )
      })}
    </ul>
  )
}
