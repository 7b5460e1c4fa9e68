import type { Paged } from '@befaqt/domain/api/box-api'
import type { TradeBox } from '@befaqt/domain/api/box-trade-api'
import { urlOf } from '@befaqt/domain/api/endpoint'
import { readEpcis } from '@befaqt/domain/api/endpoints/box-page'
import { commonAndOwn } from '@befaqt/domain/epcis/fsma'
import { daysLater } from '@befaqt/domain/slot-rules'
import { Form, Link, useSearchParams } from 'react-router'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { ListPlaces } from '#web/components/list-places.tsx'
import { Moment } from '#web/time/time.tsx'
import { useToday } from '#web/time/today.ts'
import { type Column, EmptyList, PlainTable, RowLink } from '../list/list-table.tsx'
import { ManageLayout, ReadResult } from '../manage-layout.tsx'
import { managedBoxPath } from '../paths.ts'
import { type Read, TRADE_DAYS, type TradeQuery } from '../read.ts'
import { EpcisImport } from './epcis-import.tsx'
import { ExportFiles } from './export-files.tsx'

/** The boxes of a choice. */
export type TradeFound = { choice: TradeQuery; boxes: Paged<TradeBox> }

/** Manage Trade: boxes as documents for buyers and regulators, and boxes out of them. Source: standards.md. */
export function TradeScreen({ found }: { found: Read<TradeFound> }) {
  return (
    <ManageLayout help={false}>
      <div className="grid items-start gap-12 min-[100rem]:grid-cols-[minmax(0,1fr)_27rem]">
        <section aria-labelledby="export" className="min-w-0">
          <h2 id="export" className="mb-2 text-2xl">
            Export
          </h2>
          <p className="mb-4 max-w-prose text-slate">
            Histories in the trade’s own formats. What no record says is left out or blank, and listed here;
            codes of species, area, zone and gear are computed from what it says, and marked so.
          </p>
          <ChoiceForms chosen={found.data?.choice ?? null} />
          <ReadResult found={found}>{(trade) => <Chosen {...trade} />}</ReadResult>
        </section>
        <EpcisImport />
      </div>
    </ManageLayout>
  )
}

function Chosen({ choice, boxes }: TradeFound) {
  const { rows, total, atLeast = false } = boxes
  if (total === 0)
    return (
      <EmptyList>
        {'box' in choice ? 'No such box.' : 'No box was caught on these days: choose more of them above.'}
      </EmptyList>
    )
  const lacking = commonAndOwn(rows.map((box) => box.lacking))
  const blank = commonAndOwn(rows.map((box) => box.blank))
  const own = new Map(
    rows.map(({ boxID }, i) => [boxID, [lacking.own[i] ?? [], blank.own[i] ?? []] as const]),
  )
  return (
    <section aria-label="Chosen boxes">
      <ExportFiles
        choice={choice}
        total={total}
        isMore={atLeast}
        missing={{ gdst: lacking.common, fsma204: blank.common }}
      />
      <h3 className="mb-2 text-lg">What is in the file</h3>
      <PlainTable
        caption="Boxes to export"
        columns={columnsWith(own)}
        rows={rows}
        idOf={({ boxID }) => boxID}
        actions={({ boxID }) => <OneDocument boxID={boxID} />}
      />
      <ListPlaces {...boxes} thing="box" things="boxes" />
    </section>
  )
}

/** The document of one box, as its public page has it. */
const OneDocument = ({ boxID }: { boxID: string }) => (
  <a
    href={urlOf(readEpcis, { params: { boxID } })}
    download={`box-${boxID}.epcis.jsonld`}
    data-action="epcis"
    className="link tap"
  >
    EPCIS<span className="sr-only"> of {boxID}</span>
  </a>
)

type Own = ReadonlyMap<string, readonly [lacking: readonly string[], blank: readonly string[]]>

/** What a box lacks that others don't has a column where there is any. */
const columnsWith = (own: Own): readonly Column<TradeBox>[] =>
  [...own.values()].some(([lacking, blank]) => lacking.length + blank.length > 0)
    ? [...boxColumns, ownColumn(own)]
    : boxColumns

const boxColumns: readonly Column<TradeBox>[] = [
  {
    heading: 'Box',
    isName: true,
    className: 'lg:min-w-40',
    cell: ({ boxID, recalled }) => (
      <>
        <RowLink to={managedBoxPath(boxID)} className="wrap-anywhere">
          {boxID}
        </RowLink>
        {recalled && <Badge tone="bad">recalled</Badge>}
      </>
    ),
  },
  { heading: 'Species', className: 'max-sm:w-full', cell: ({ species }) => species || 'no catch yet' },
  {
    heading: 'Caught',
    className: 'xl:whitespace-nowrap',
    cell: ({ caughtAt }) =>
      caughtAt ? <Moment at={caughtAt} /> : <span className="text-slate">unknown</span>,
  },
  { heading: 'Events', labelled: true, isNumber: true, cell: ({ events }) => events },
]

const ownColumn = (own: Own): Column<TradeBox> => ({
  heading: 'Missing besides',
  labelled: true,
  className: 'max-lg:w-full',
  cell: ({ boxID }) => {
    const [lacking = [], blank = []] = own.get(boxID) ?? []
    return (
      <span className="text-sm">
        {lacking.length > 0 && <span className="block">EPCIS: {lacking.join(', ')}</span>}
        {blank.length > 0 && <span className="block">FSMA 204: {blank.join(', ')}</span>}
        {lacking.length + blank.length === 0 && <span className="text-slate">nothing</span>}
      </span>
    )
  },
})

/** Days back from today that are a press away. */
const usualDays = [7, 30, 90, 365] as const

/** Which boxes: by the days of their catch, or by their numbers. In the URL, and without script too. */
function ChoiceForms({ chosen }: { chosen: TradeQuery | null }) {
  const [params] = useSearchParams()
  const today = useToday()
  const box = params.get('box') ?? ''
  const days = chosen !== null && 'from' in chosen ? chosen : null
  const from = params.get('from') ?? days?.from ?? (today && daysLater(today, 1 - TRADE_DAYS))
  const to = params.get('to') ?? days?.to ?? today
  return (
    <div className="mb-6 grid gap-4 rounded-lg border border-line bg-surface p-4">
      <nav aria-label="Days of the catch" className="flex flex-wrap gap-x-5">
        {today !== '' &&
          usualDays.map((count) => {
            const first = daysLater(today, 1 - count)
            return (
              <Link
                key={count}
                to={`?${new URLSearchParams({ from: first, to: today })}`}
                preventScrollReset
                aria-current={days?.from === first && days.to === today ? 'true' : undefined}
                className="tap underline-offset-4 hover:text-teal hover:underline aria-[current]:font-semibold aria-[current]:text-teal"
              >
                {count === 365 ? 'A year' : `${count} days`}
              </Link>
            )
          })}
      </nav>
      <div className="grid items-start gap-x-8 gap-y-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Form key={`${from} ${to}`} aria-label="Boxes by day" className="flex flex-wrap items-end gap-3">
          <div className="min-w-40 flex-1">
            <InputField label="Caught from" type="date" name="from" required defaultValue={from} />
          </div>
          <div className="min-w-40 flex-1">
            <InputField label="to" type="date" name="to" required defaultValue={to} />
          </div>
          <Button type="submit" variant="outline">
            Show these days
          </Button>
        </Form>
        <Form key={box} aria-label="Boxes by number" className="flex items-end gap-3">
          <div className="min-w-0 flex-1">
            <InputField
              label="Or boxes by number"
              name="box"
              required
              defaultValue={box.replaceAll(',', ' ')}
              placeholder="separated by spaces"
              autoComplete="off"
            />
          </div>
          <Button type="submit" variant="outline">
            Show
          </Button>
        </Form>
      </div>
    </div>
  )
}
