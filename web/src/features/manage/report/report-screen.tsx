import type { FishReport, SalesReport } from '@befaqt/domain/api/desk-api'
import { urlOf } from '@befaqt/domain/api/endpoint'
import { exportFish, exportSales } from '@befaqt/domain/api/endpoints/manage'
import { mayAtDesk } from '@befaqt/domain/rights'
import { daysLater } from '@befaqt/domain/slot-rules'
import { Link, useSearchParams } from 'react-router'
import { Alert } from '#web/components/alert.tsx'
import { Button, buttonClass } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { useViewer } from '#web/root-data.ts'
import { useToday } from '#web/time/today.ts'
import { EmptyList } from '../list/list-table.tsx'
import { FilterBar } from '../list/searched-list.tsx'
import { ManageLayout, ReadResult } from '../manage-layout.tsx'
import { isOfFish, type Read, reportNames, reportQuery, withParams } from '../read.ts'
import { Fish } from './fish.tsx'
import { ReportChart } from './report-chart.tsx'
import { changeText, figureLabel, figureName, figures, rangeText } from './report-parts.tsx'
import { ReportTable } from './report-table.tsx'

/** Reports: what was sold, any range beside the one before it. Source: desk.md 'Reports'. */
export function ReportScreen({ found }: { found: Read<SalesReport | FishReport> }) {
  return (
    <ManageLayout help={false}>
      <Choice shown={found.data?.range} />
      <ReadResult found={found}>
        {(report) => (
          <>
            <State report={report} />
            <Head report={report} />
            {'totals' in report ? <Fish report={report} /> : <Sales report={report} />}
          </>
        )}
      </ReadResult>
    </ManageLayout>
  )
}

/** Ranges of whole weeks, so that weekdays are beside the same weekdays. */
const spans = [
  ['Last 7 days', 7],
  ['4 weeks', 28],
  ['13 weeks', 91],
  ['52 weeks', 364],
] as const

const chosen = 'border-teal font-semibold text-ink'

/**
 * Scrolls the row of reports to the one that is shown or reached by keys, once more when its letters are there, unless
 * somebody is on the way through it by then; the page stays where it is.
 */
function bringIntoSight(link: HTMLElement | null): void {
  const row = link?.parentElement
  if (!link || !row) return
  let at = row.scrollLeft
  const scroll = () => {
    const focused = document.activeElement
    if (row.scrollLeft !== at || (row.contains(focused) && focused !== link)) return
    const [it, all] = [link.getBoundingClientRect(), row.getBoundingClientRect()]
    if (it.left < all.left) row.scrollLeft += it.left - all.left - 16
    else if (it.right > all.right) row.scrollLeft += it.right - all.right + 16
    at = row.scrollLeft
  }
  scroll()
  void document.fonts.ready.then(scroll)
}

/** By what, and of which days: those that are shown, where the URL names none. */
function Choice({ shown }: { shown: { from: string; to: string } | undefined }) {
  const [params] = useSearchParams()
  const viewer = useViewer()
  const today = useToday()
  const {
    by,
    category,
    range: { from, to },
  } = reportQuery(params)
  return (
    <div className="print:hidden">
      {/* One row at every width: what does not fit is scrolled to, by keys as by touch. */}
      <nav
        aria-label="Reports"
        className="mb-4 flex gap-x-5 overflow-x-auto whitespace-nowrap border-line border-b px-1 max-md:-mx-4 max-md:px-4"
      >
        {Object.entries(reportNames)
          .filter(([name]) => name !== 'customer' || mayAtDesk(viewer, 'customer:read'))
          .map(([name, label]) => (
            <Link
              key={name}
              ref={name === by ? bringIntoSight : undefined}
              to={withParams(params, { by: name === 'day' ? '' : name, category: '' })}
              aria-current={name === by ? 'page' : undefined}
              preventScrollReset
              // Not while it is pressed: it would move away from under the pointer.
              onFocus={({ currentTarget: link }) => link.matches(':focus-visible') && bringIntoSight(link)}
              className={`tap border-b-2 -outline-offset-2 ${name === by ? chosen : 'border-transparent text-slate hover:text-teal'}`}
            >
              {label}
            </Link>
          ))}
      </nav>
      <p className="mb-2 flex flex-wrap gap-x-4">
        {spans.map(([label, days]) => (
          <Link
            key={label}
            to={withParams(params, { from: daysLater(today, 1 - days), to: today })}
            preventScrollReset
            className="link tap"
          >
            {label}
          </Link>
        ))}
      </p>
      <FilterBar
        filters={
          isOfFish(by)
            ? []
            : [
                {
                  name: 'show',
                  label: 'Figure',
                  all: figures.revenue.label,
                  choices: Object.entries(figures).flatMap(([name, { label }]) =>
                    name === 'revenue' ? [] : [[name, label] as const],
                  ),
                },
              ]
        }
        sorts={[]}
      >
        {by !== 'day' && <input type="hidden" name="by" value={by} />}
        {category && <input type="hidden" name="category" value={category} />}
        <div className="min-w-44!">
          <InputField label="From" name="from" type="date" defaultValue={from ?? shown?.from ?? ''} />
        </div>
        <div className="min-w-44!">
          <InputField label="To" name="to" type="date" defaultValue={to ?? shown?.to ?? ''} />
        </div>
        <Button type="submit" variant="outline">
          Show
        </Button>
      </FilterBar>
    </div>
  )
}

/** Which days, beside which, and the file. */
function Head({ report }: { report: SalesReport | FishReport }) {
  const { range, before } = report
  const file =
    'totals' in report
      ? urlOf(exportFish, { query: { by: report.by, ...range } })
      : urlOf(exportSales, {
          query: { by: report.by, ...(report.category && { category: report.category._id }), ...range },
        })
  return (
    <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
      <div>
        <h2 className="text-2xl">{rangeText(range)}</h2>
        <p className="muted">beside {rangeText(before)}</p>
        {'category' in report && report.category && <OfCategory title={report.category.title} />}
      </div>
      <a href={file} download={`${report.by}.csv`} className={buttonClass('outline', 'print:hidden')}>
        Export CSV
      </a>
    </div>
  )
}

/** Which products are shown alone, and the way back to all of them. */
function OfCategory({ title }: { title: string }) {
  const [params] = useSearchParams()
  return (
    <p className="mt-1">
      Only {title}.{' '}
      <Link to={withParams(params, { category: '' })} preventScrollReset className="link tap">
        All products
      </Link>
    </p>
  )
}

function Sales({ report }: { report: SalesReport }) {
  const [params] = useSearchParams()
  const figure = figures[figureName(params.get('show'))]
  const { by, total, totalBefore } = report
  const isEmpty = total.orders === 0 && totalBefore.orders === 0
  return (
    <>
      {isEmpty ? (
        <EmptyList>Nothing was sold in these days, nor in those before.</EmptyList>
      ) : (
        <>
          <Totals report={report} />
          <ReportChart report={report} figure={figure} />
          <ReportTable report={report} />
        </>
      )}
      <Words by={by} />
    </>
  )
}

/** After this many seconds it is said that changes wait. */
const LATE_S = 60

/** Where sums are not of all orders. */
function State({ report: { isMade, lagS } }: { report: Pick<SalesReport, 'isMade' | 'lagS'> }) {
  if (!isMade)
    return (
      <Alert tone="warn" className="mb-4">
        <p>The sums are being made anew. Until that is done, some of what was sold is missing here.</p>
      </Alert>
    )
  if (lagS < LATE_S) return null
  return (
    <Alert tone="warn" className="mb-4">
      <p>Changes of the last {Math.ceil(lagS / 60)} minutes are not in it yet.</p>
    </Alert>
  )
}

function Totals({ report: { by, total, totalBefore } }: { report: SalesReport }) {
  return (
    <dl className="mb-6 grid grid-cols-2 gap-x-6 gap-y-4 rounded-lg border border-line bg-surface p-4 md:grid-cols-5">
      {Object.values(figures).map(({ label, of, text }) => (
        <div key={label} className="min-w-0">
          <dt className="font-semibold muted">{figureLabel({ label }, by)}</dt>
          <dd className="text-xl tabular-nums sm:text-2xl">{text(of(total))}</dd>
          <dd className="muted tabular-nums">
            before: {text(of(totalBefore))} {changeText(of(total), of(totalBefore))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** What the figures mean. */
function Words({ by }: { by: SalesReport['by'] }) {
  const isOfGoods = by === 'product' || by === 'category'
  return (
    <p className="mt-4 max-w-prose muted">
      An order belongs to the market day of its slot, from when it is placed on; cancelled ones don’t count.
      Weight is as weighed, else as ordered. Revenue is what is charged, after discounts and coupons
      {isOfGoods
        ? ', without delivery and before what was given back. '
        : ', with delivery, less what was given back. '}
      {by === 'category' && 'Products count where they are now. '}
      {by === 'customer' && 'Names are those of accounts as they are now; guests are one line. '}
      Taken off is what discounts and coupons took. GST is what of the revenue is GST, as invoices have it.
    </p>
  )
}
