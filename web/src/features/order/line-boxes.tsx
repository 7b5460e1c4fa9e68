import type { OrderBox } from '@befaqt/domain/api/box-api'
import type { OrderView } from '@befaqt/domain/api/order-api'
import { capital, coldChainText } from '@befaqt/domain/freshness-text'
import { unknownSince } from '@befaqt/domain/freshness-word'
import { dayText } from '@befaqt/domain/moment-text'
import { boxPath } from '@befaqt/domain/page-paths'
import { Link } from 'react-router'
import type { Part } from '#web/api/part.ts'
import { Stars } from '#web/components/stars.tsx'
import { useToday } from '#web/time/today.ts'

type Line = OrderView['lines'][number]

/** How fresh a box was when it was sold, or is, and how cold it was kept; nothing where nothing may be said. */
function Freshness({ box }: { box: OrderBox }) {
  const today = useToday()
  const { freshness, coldChain, soldAt } = box
  const { word, stars, bestBy, unknown } = freshness
  const isOver = word === 'past its best'
  const said = unknown ? unknownSince(unknown, today) : word
  return (
    <>
      {said && (
        <p className="flex flex-wrap items-center gap-x-2">
          {stars !== null && !isOver && <Stars count={stars} />}
          <span>
            <span className={isOver || unknown ? 'font-semibold text-bad' : ''}>{capital(said)}</span>{' '}
            {soldAt === null ? !unknown && 'now' : 'when it was packed'}
          </span>
          {bestBy && <span>best by {dayText(bestBy)}</span>}
        </p>
      )}
      {coldChain && (
        <p className={coldChain === 'warmed' ? 'text-warn' : 'text-slate'}>{coldChainText[coldChain]}</p>
      )}
    </>
  )
}

const Links = ({ boxID }: { boxID: string }) => (
  <p className="no-print flex flex-wrap gap-x-5">
    <Link to={boxPath(boxID)} className="link inline-flex min-h-11 items-center">
      See its journey<span className="sr-only">, box {boxID}</span>
    </Link>
    <Link to={`${boxPath(boxID)}#check`} className="link inline-flex min-h-11 items-center">
      Check its records<span className="sr-only"> of box {boxID}</span>
    </Link>
  </p>
)

type Props = { line: Line; boxes: Part<OrderBox[]> }

/** The boxes behind a line: how much came from each, how fresh it was, its journey and the check of its records. */
export function LineBoxes({ line, boxes }: Props) {
  const unit = line.orderedGrams === null ? line.unit : 'g'
  return (
    <ul className="mt-3 grid gap-3" aria-label={`Boxes of ${line.title}`}>
      {line.boxes.map(({ boxID, amount, recall }) => {
        const box = boxes.value?.find((one) => one.boxID === boxID && one.expectedFor.length === 0)
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
            <Links boxID={boxID} />
          </li>
        )
      })}
    </ul>
  )
}

/** Until a line is packed: the box that it would come from as things stand, of which cards say the same. */
export function ExpectedBox({ line, boxes }: Props) {
  const box = boxes.value?.find(({ expectedFor }) => expectedFor.includes(line.position))
  if (box === undefined) return null
  return (
    <div className="mt-3 rounded-md bg-ice px-4 py-3 text-sm">
      <p>
        Not packed yet. At the moment the freshest is box <b className="font-semibold">{box.boxID}</b>; yours
        may be another one, which is named here once it is packed.
      </p>
      <Freshness box={box} />
      <Links boxID={box.boxID} />
    </div>
  )
}
