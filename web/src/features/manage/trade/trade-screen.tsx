import type { Paged } from '@befaqt/domain/api/box-api'
import type { TradeBox } from '@befaqt/domain/api/box-trade-api'
import { urlOf } from '@befaqt/domain/api/endpoint'
import { readEpcis } from '@befaqt/domain/api/endpoints/box-page'
import { commonAndOwn } from '@befaqt/domain/epcis/fsma'
import { daysLater } from '@befaqt/domain/slot-rules'
import { Form, useSearchParams } from 'react-router'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { Pagination } from '#web/components/pagination.tsx'
import { Moment } from '#web/time/time.tsx'
import { useToday } from '#web/time/today.ts'
import { type Column, EmptyList, PlainTable, RowLink } from '../list/list-table.tsx'
import { ManageLayout, ReadResult } from '../manage-layout.tsx'
import { managedBoxPath } from '../paths.ts'
import type { Read, TradeQuery } from '../read.ts'
import { EpcisImport, ExportFiles } from './trade-documents.tsx'

/** The boxes of a choice; null: nothing is chosen yet. */
export type TradeFound = { choice: TradeQuery; boxes: Paged<TradeBox> } | null

/** Manage Trade: boxes as documents for buyers and regulators, and boxes out of them. Source: standards.md. */
export function TradeScreen({ found }: { found: Read<TradeFound> }) {
  return (
    <ManageLayout help={false}>
      <h2 className="mb-2 text-2xl">Export</h2>
      <p className="mb-4 max-w-prose text-slate">
        Histories in the trade’s own formats. What no record says is left out or blank, and listed here; codes
        of species, area, zone and gear are computed from what it says, and marked so.
      </p>
      <ChoiceForms />
      <ReadResult found={found}>{(trade) => trade && <Chosen {...trade} />}</ReadResult>
      <EpcisImport />
    </ManageLayout>
  )
}

function Chosen({ choice, boxes }: NonNullable<TradeFound>) {
  const { rows, total } = boxes
  if (total === 0) return <EmptyList>No box was caught on these days.</EmptyList>
  const lacking = commonAndOwn(rows.map((box) => box.lacking))
  const blank = commonAndOwn(rows.map((box) => box.blank))
  const own = new Map(
    rows.map(({ boxID }, i) => [boxID, [lacking.own[i] ?? [], blank.own[i] ?? []] as const]),
  )
  return (
    <section aria-label="Chosen boxes">
      <ExportFiles choice={choice} total={total} />
      <div className="mb-6 grid gap-6 md:grid-cols-2">
        <Missing
          title="Not in the EPCIS document"
          texts={lacking.common}
          rest="GDST asks for nothing else about these boxes."
        />
        <Missing title="Blank in the FSMA 204 sheet" texts={blank.common} rest="Every column is filled." />
      </div>
      <PlainTable
        caption="Boxes to export"
        columns={columnsWith(own)}
        rows={rows}
        idOf={({ boxID }) => boxID}
        actions={({ boxID }) => <OneDocument boxID={boxID} />}
      />
      <Pagination {...boxes} thing="box" things="boxes" />
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

type MissingProps = { title: string; texts: readonly string[]; rest: string }

/** What is missing of all boxes that are listed. */
const Missing = ({ title, texts, rest }: MissingProps) => (
  <div>
    <h3 className="mb-1 text-lg">{title}</h3>
    {texts.length === 0 ? (
      <p className="text-slate">{rest}</p>
    ) : (
      <>
        <p className="muted">Of each box listed here, because no record says it:</p>
        <ul className="mt-1 list-disc pl-5">
          {texts.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </>
    )}
  </div>
)

type Own = ReadonlyMap<string, readonly [lacking: readonly string[], blank: readonly string[]]>

const columnsWith = (own: Own): readonly Column<TradeBox>[] => [
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
  { heading: 'Species', className: 'max-lg:w-full', cell: ({ species }) => species || 'no catch yet' },
  {
    heading: 'Caught',
    cell: ({ caughtAt }) =>
      caughtAt ? <Moment at={caughtAt} /> : <span className="text-slate">unknown</span>,
  },
  { heading: 'Events', labelled: true, cell: ({ events }) => events },
  {
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
  },
]

/** Days that are offered when none are chosen: a week. */
const USUAL_DAYS = 7

/** Which boxes: by the days of their catch, or by their numbers. In the URL, and without script too. */
function ChoiceForms() {
  const [params] = useSearchParams()
  const today = useToday()
  const box = params.get('box') ?? ''
  const from = params.get('from') ?? (today && daysLater(today, 1 - USUAL_DAYS))
  const to = params.get('to') ?? today
  return (
    <div className="mb-6 grid items-start gap-6 lg:grid-cols-2">
      <Form key={`${from} ${to}`} aria-label="Boxes by day" className="flex flex-wrap items-end gap-3">
        <div className="min-w-36 flex-1 max-sm:basis-full">
          <InputField label="Caught from" type="date" name="from" required defaultValue={from} />
        </div>
        <div className="min-w-36 flex-1 max-sm:basis-full">
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
  )
}
