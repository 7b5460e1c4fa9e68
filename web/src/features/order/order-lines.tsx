import type { OrderBox } from '@befaqt/domain/api/box-api'
import type { OrderView } from '@befaqt/domain/api/order-api'
import { couponIdle } from '@befaqt/domain/coupon'
import { capital, coldChainText } from '@befaqt/domain/freshness-text'
import { unknownSince } from '@befaqt/domain/freshness-word'
import { gramsText, unitsText, weightText } from '@befaqt/domain/labelling'
import { dayText } from '@befaqt/domain/moment-text'
import { cents, discounted, discountLabel, formatDollars, NO_MONEY } from '@befaqt/domain/money'
import { boxPath, productPath } from '@befaqt/domain/page-paths'
import { nameOf, yieldText } from '@befaqt/domain/preparation'
import { Link } from 'react-router'
import type { Part } from '#web/api/part.ts'
import { Stars } from '#web/components/stars.tsx'
import { SumRow } from '#web/features/cart/sum-row.tsx'
import { useToday } from '#web/time/today.ts'

type Line = OrderView['lines'][number]

/** How much: the net weight once it was weighed, until then the estimate. */
function Amount({ line }: { line: Line }) {
  const { quantity, unit, orderedGrams, finalGrams, leftOut, preparation } = line
  if (leftOut !== null) return <b className="font-semibold text-warn">Left out: {leftOut}</b>
  if (orderedGrams === null) return <>{unitsText(quantity, unit)}</>
  if (finalGrams === null) return <>about {weightText(orderedGrams)}, weighed when packed</>
  return (
    <>
      <b className="font-semibold text-ink">{gramsText(finalGrams)} net</b> of about{' '}
      {weightText(orderedGrams)} ordered{preparation && ', weighed whole'}
    </>
  )
}

/** What is done to it, what is left of it then, and what of its price that is. */
function Preparation({ line: { preparation, unit, discount } }: { line: Line }) {
  if (preparation === undefined) return null
  const fee = discounted(cents(preparation.feeCents), discount)
  return (
    <p>
      <b className="font-semibold">{nameOf(preparation.kind)}</b>, {yieldText(unit, preparation.yieldPercent)}
      {fee > NO_MONEY && `; ${formatDollars(fee)}/${unit} of its price`}
    </p>
  )
}

function OrderLine({ line, boxes }: { line: Line; boxes: Part<OrderBox[]> }) {
  const { product_id, title, price, unit, discount, savings, total, includeGST, gst, origin } = line
  const off = discountLabel(discount)
  const isEstimate = line.orderedGrams !== null && line.finalGrams === null && line.leftOut === null
  return (
    <li className="border-line border-b py-4">
      <div className="flex justify-between gap-4">
        <div className="min-w-0 wrap-anywhere">
          <h3 className="text-lg">
            <Link to={productPath(product_id)} className="hover:text-teal hover:underline">
              {title}
            </Link>
          </h3>
          <Preparation line={line} />
          <p className="text-slate">
            <Amount line={line} />
          </p>
          <p className="muted">
            {formatDollars(cents(price))}/{unit}
            {off && `, ${off}`}
            {origin && `, ${origin}`}
          </p>
        </div>
        <p className="shrink-0 text-right font-semibold">
          {isEstimate && <span className="block font-normal muted">about</span>}
          {formatDollars(cents(total))}
          {savings > 0 && (
            <span className="block font-normal text-good text-sm">{formatDollars(cents(savings))} off</span>
          )}
          {line.coupon && (
            <span className="block font-normal text-good text-sm">
              {formatDollars(cents(line.coupon))} by coupon
            </span>
          )}
          <span className="block font-normal muted">
            {includeGST ? `GST ${formatDollars(cents(gst))}` : 'GST-free'}
          </span>
        </p>
      </div>
      {line.boxes.length > 0 ? (
        <LineBoxes line={line} boxes={boxes} />
      ) : (
        <ExpectedBox line={line} boxes={boxes} />
      )}
    </li>
  )
}

type Props = { order: Pick<OrderView, 'lines'>; boxes: Part<OrderBox[]> }

/** What was ordered, line by line: the weight statement of what was weighed, and the boxes that it came from. */
export function OrderLines({ order, boxes }: Props) {
  const isWeighed = order.lines.some(({ finalGrams }) => finalGrams !== null)
  const isByWeight = order.lines.some(({ orderedGrams }) => orderedGrams !== null)
  return (
    <section aria-labelledby="lines">
      <h2 id="lines" className="text-2xl">
        What you ordered
      </h2>
      {isByWeight && (
        <p className="mt-1 muted">
          {isWeighed
            ? 'Weight statement: net weights, without packaging, as weighed when your order was packed.'
            : 'Weights are estimates until your order is packed.'}
        </p>
      )}
      <ul className="mt-3 border-line border-t">
        {order.lines.map((line) => (
          <OrderLine key={line.position} line={line} boxes={boxes} />
        ))}
      </ul>
    </section>
  )
}

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
    <Link to={boxPath(boxID)} className="link tap">
      See its journey<span className="sr-only">, box {boxID}</span>
    </Link>
    <Link to={`${boxPath(boxID)}#check`} className="link tap">
      Check its records<span className="sr-only"> of box {boxID}</span>
    </Link>
  </p>
)

type LineBoxesProps = { line: Line; boxes: Part<OrderBox[]> }

/** The boxes behind a line: how much came from each, how fresh it was, its journey and the check of its records. */
function LineBoxes({ line, boxes }: LineBoxesProps) {
  const unit = line.orderedGrams === null ? line.unit : 'g'
  return (
    <ul className="mt-3 grid gap-3" aria-label={`Boxes of ${line.title}`}>
      {line.boxes.map(({ boxID, amount, recall, sale }) => {
        const box = boxes.value?.find((one) => one.boxID === boxID && one.expectedFor.length === 0)
        return (
          <li key={boxID} className="rounded-md bg-ice px-4 py-3 text-sm">
            <p>
              {amount.toLocaleString('en-AU')} {unit} from box <b className="font-semibold">{boxID}</b>
              {box?.species && `, ${box.species}`}
            </p>
            {sale !== null && (
              <p className="no-print">
                <Link to={`${boxPath(boxID)}?records=${sale}#record-${sale}`} className="link">
                  Record {sale} of its history
                </Link>{' '}
                says so, and your browser checks it there.
              </p>
            )}
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
function ExpectedBox({ line, boxes }: LineBoxesProps) {
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

/**
 * Sums of an order. What includes GST and what is free of it stand apart, and GST beside the first only.
 * Source: orders.md 'Tax invoice'.
 */
export function OrderTotals({ totals, agreed, coupon }: Pick<OrderView, 'totals' | 'agreed' | 'coupon'>) {
  const { subtotal, savings, delivery, total, taxable, free, gst } = totals
  return (
    <dl>
      <SumRow name="Subtotal" amount={cents(subtotal)} />
      {savings > NO_MONEY && <SumRow name="Total Savings" amount={cents(savings)} className="text-good" />}
      {coupon &&
        (totals.coupon ? (
          <SumRow name={`Coupon ${coupon.code}`} amount={cents(-totals.coupon)} className="text-good" />
        ) : (
          <div className="py-1.5 text-sm text-warn">
            <dt>Coupon {coupon.code}</dt>
            <dd>{couponIdle(coupon)}</dd>
          </div>
        ))}
      <SumRow name="Delivery" amount={cents(delivery)} />
      <SumRow
        name="Total"
        amount={cents(total)}
        className="mt-2 border-line border-t pt-3 font-semibold text-xl"
      />
      {agreed !== total && <SumRow name="You agreed to" amount={cents(agreed)} className="muted" />}
      {free > NO_MONEY && <SumRow name="GST-free" amount={cents(free)} className="muted" />}
      {taxable > NO_MONEY && (
        <>
          <SumRow name="Including GST" amount={cents(taxable)} className="muted" />
          <SumRow name="GST included" amount={cents(gst)} className="muted" />
        </>
      )}
    </dl>
  )
}
