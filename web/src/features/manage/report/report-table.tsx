import type { SalesReport, SalesRow, Sold } from '@befaqt/domain/api/desk-api'
import { Link, useSearchParams } from 'react-router'
import { Table, Td, Th } from '#web/components/table.tsx'
import { withParams } from '../read.ts'
import { changeText, dollars, type Figure, figureLabel, figures, rowName } from './report-parts.tsx'

/** `relative`: what only screen readers are told stays within what scrolls. */
const number = 'relative text-right tabular-nums whitespace-nowrap'

/** Every row of a report with what it was in the range before. */
export function ReportTable({ report }: { report: SalesReport }) {
  const { by, rows, others, total, totalBefore, category } = report
  const [params] = useSearchParams()
  const hasRefunds = by !== 'product' && by !== 'category'
  return (
    <Table caption="Sales, each with the range before">
      <thead>
        <tr>
          <Th>{heading(report)}</Th>
          {Object.values(figures).map((one) => (
            <Th key={one.label} className="text-right">
              {figureLabel(one, by)}
            </Th>
          ))}
          <Th className="text-right">Pieces</Th>
          {hasRefunds && <Th className="text-right">Given back</Th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th
              scope="row"
              className={`border-line border-b py-2 pr-3 text-left align-top font-normal ${by === 'day' ? 'whitespace-nowrap' : 'min-w-32'}`}
            >
              {by === 'category' ? (
                <Link
                  to={withParams(params, { by: 'product', category: row.key })}
                  preventScrollReset
                  className="link tap"
                >
                  {row.name}
                </Link>
              ) : (
                rowName(by, row)
              )}
            </th>
            <Cells row={row} hasRefunds={hasRefunds} />
          </tr>
        ))}
        {others && <Sum name="All others" row={others} hasRefunds={hasRefunds} />}
      </tbody>
      <tfoot>
        <Sum
          name={category ? `All of ${category.title}` : 'All'}
          row={{ now: total, before: totalBefore }}
          hasRefunds={hasRefunds}
        />
      </tfoot>
    </Table>
  )
}

const headings = {
  product: 'Product',
  category: 'Category',
  customer: 'Customer',
  slot: 'Weekday and time of the slot',
  coupon: 'Coupon',
} as const

const heading = ({ by, step }: SalesReport): string =>
  by === 'day' ? (step === 'month' ? 'Month' : 'Day') : headings[by]

type Both = Pick<SalesRow, 'now' | 'before'>

function Sum({ name, row, hasRefunds }: { name: string; row: Both; hasRefunds: boolean }) {
  return (
    <tr className="font-semibold">
      <th scope="row" className="border-line border-b py-2 pr-3 text-left">
        {name}
      </th>
      <Cells row={row} hasRefunds={hasRefunds} />
    </tr>
  )
}

function Cells({ row, hasRefunds }: { row: Both; hasRefunds: boolean }) {
  const pieces = ({ pieces }: Sold): number => pieces
  const refunds = ({ refunds }: Sold): number => refunds
  return (
    <>
      {Object.values(figures).map(({ label, of, text }) => (
        <Cell key={label} row={row} of={of} text={text} isMain={label === 'Revenue'} />
      ))}
      <Cell row={row} of={pieces} text={figures.orders.text} />
      {hasRefunds && <Cell row={row} of={refunds} text={dollars} />}
    </>
  )
}

type CellProps = { row: Both; of: Figure['of']; text: Figure['text']; isMain?: boolean }

/** A figure, and below it what it was before. */
function Cell({ row, of, text, isMain = false }: CellProps) {
  const [now, then] = [of(row.now), of(row.before)]
  return (
    <Td className={number}>
      {text(now)}
      <span className="block font-normal text-sm muted">
        <span className="sr-only">before: </span>
        {text(then)}
        {isMain && changeText(now, then) && ` (${changeText(now, then)})`}
      </span>
    </Td>
  )
}
