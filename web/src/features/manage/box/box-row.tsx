import { urlOf } from '@befaqt/domain/api/endpoint'
import { readLabel } from '@befaqt/domain/api/endpoints/box-labels'
import type { ManagedBox } from '@befaqt/domain/api/manage-api'
import { Link } from 'react-router'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { Moment } from '#web/time/time.tsx'
import type { Column } from '../list/list-table.tsx'
import { RowLink } from '../list/row-action.tsx'

const tones: Readonly<Record<ManagedBox['stage'], BadgeTone>> = {
  registered: 'plain',
  'at sea': 'teal',
  'on the road': 'teal',
  'at market': 'good',
  sealed: 'plain',
}

/** Where one box is managed. */
export const managedBoxPath = (boxID: string): string => `/manage/box/${encodeURIComponent(boxID)}`

/** How far a box has come, as a word. */
export const StageMark = ({ stage }: { stage: ManagedBox['stage'] }) => (
  <Badge tone={tones[stage]}>{stage}</Badge>
)

/** Excursions and alerts of a box that nobody has dealt with, in words, each once; never a verdict on food safety. */
export function Alerts({ alerts, excursions }: Pick<ManagedBox, 'alerts' | 'excursions'>) {
  const messages = [...new Set(alerts.flatMap(({ words, seen }) => (seen ? [] : [words])))]
  if (messages.length === 0 && excursions.length === 0) return null
  return (
    <ul className="grid gap-1">
      {excursions.map(({ id, text, endedAt }) => (
        <li key={id} className="relative z-10 text-sm">
          <Link to={`/manage/excursion/${id}`} className="link inline-flex min-h-11 items-center text-warn">
            <span aria-hidden="true">▲&nbsp;</span>
            {text} {endedAt === null ? 'Goes on.' : 'Ended.'}
          </Link>
        </li>
      ))}
      {messages.map((message) => (
        <li key={message} className="text-sm text-warn">
          <span aria-hidden="true">▲ </span>
          {message}
        </li>
      ))}
    </ul>
  )
}

const Name = ({ box: { boxID, recalled, offSale, sample } }: { box: ManagedBox }) => (
  <span className="flex flex-wrap items-center gap-x-3">
    <RowLink to={managedBoxPath(boxID)} className="wrap-anywhere">
      {boxID}
    </RowLink>
    {recalled && <Badge tone="bad">recalled</Badge>}
    {offSale && <Badge tone="warn">off sale</Badge>}
    {sample && <span className="text-slate text-sm">sample</span>}
  </span>
)

const Caught = ({ box: { caughtAt, records, pending } }: { box: ManagedBox }) => (
  <span className="text-sm">
    {caughtAt ? <Moment at={caughtAt} /> : <span className="text-slate">not caught yet</span>}
    <span className="block text-slate">
      {records} {records === 1 ? 'record' : 'records'}
      {pending > 0 && `, ${pending} not anchored`}
    </span>
  </span>
)

/** What the list of boxes shows. */
export const boxColumns: readonly Column<ManagedBox>[] = [
  { heading: 'Box', isName: true, className: 'lg:min-w-40', cell: (box) => <Name box={box} /> },
  {
    heading: 'Species and trader',
    className: 'max-lg:flex-1',
    cell: ({ species, trader }) => (
      <>
        {species || 'no catch yet'}
        <span className="block text-slate text-sm">{trader}</span>
      </>
    ),
  },
  { heading: 'State', className: 'lg:whitespace-nowrap', cell: ({ stage }) => <StageMark stage={stage} /> },
  { heading: 'Caught', className: 'max-lg:w-full', cell: (box) => <Caught box={box} /> },
  {
    heading: 'Products and alerts',
    className: 'max-lg:w-full',
    cell: ({ products, alerts, excursions }) => (
      <>
        <span className="block text-slate text-sm">
          {products.length === 0 ? 'no product' : products.map(({ title }) => title).join(', ')}
        </span>
        <Alerts alerts={alerts} excursions={excursions} />
      </>
    ),
  },
]

/** What can be done about a box of the list. */
export const BoxActions = ({ boxID }: Pick<ManagedBox, 'boxID'>) => (
  <a
    href={urlOf(readLabel, { params: { boxID } })}
    target="_blank"
    rel="noreferrer"
    data-action="label"
    className="link inline-flex min-h-11 items-center lg:whitespace-nowrap"
  >
    Print label<span className="sr-only"> of {boxID}</span>
  </a>
)
