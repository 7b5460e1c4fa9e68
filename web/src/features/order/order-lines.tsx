import type { OrderBox } from '@befaqt/domain/api/box-api'
import type { OrderView } from '@befaqt/domain/api/order-api'
import { gramsText, unitsText, weightText } from '@befaqt/domain/labelling'
import { cents, discountLabel, formatDollars } from '@befaqt/domain/money'
import { productPath } from '@befaqt/domain/page-paths'
import { Link } from 'react-router'
import type { Part } from '#web/api/part.ts'
import { ExpectedBox, LineBoxes } from './line-boxes.tsx'

type Line = OrderView['lines'][number]

/** How much: the net weight once it was weighed, until then the estimate. */
function Amount({ line }: { line: Line }) {
  const { quantity, unit, orderedGrams, finalGrams, leftOut } = line
  if (leftOut !== null) return <b className="font-semibold text-warn">Left out: {leftOut}</b>
  if (orderedGrams === null) return <>{unitsText(quantity, unit)}</>
  if (finalGrams === null) return <>about {weightText(orderedGrams)}, weighed when packed</>
  return (
    <>
      <b className="font-semibold text-ink">{gramsText(finalGrams)} net</b> of about{' '}
      {weightText(orderedGrams)} ordered
    </>
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
          <p className="text-slate">
            <Amount line={line} />
          </p>
          <p className="text-slate text-sm">
            {formatDollars(cents(price))}/{unit}
            {off && `, ${off}`}
            {origin && `, ${origin}`}
          </p>
        </div>
        <p className="shrink-0 text-right font-semibold">
          {isEstimate && <span className="block font-normal text-slate text-sm">about</span>}
          {formatDollars(cents(total))}
          {savings > 0 && (
            <span className="block font-normal text-good text-sm">{formatDollars(cents(savings))} off</span>
          )}
          <span className="block font-normal text-slate text-sm">
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
        <p className="mt-1 text-slate text-sm">
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
