import type { Paged } from '@befaqt/domain/api/box-api'
import type {
  ExcursionRow,
  ExcursionState,
  ExcursionSettings as Settings,
} from '@befaqt/domain/api/excursion-api'
import { temperatureText } from '@befaqt/domain/tracking'
import { Link, useSearchParams } from 'react-router'
import { Badge } from '#web/components/badge.tsx'
import { ListPlaces } from '#web/components/list-places.tsx'
import { Moment } from '#web/time/time.tsx'
import { columnsOf } from '../list/columns.tsx'
import { useInList } from '../list/list-beside.tsx'
import { PlainTable, RowLink } from '../list/list-table.tsx'
import type { Filter } from '../list/searched-list.tsx'
import { useViews, ViewTabs } from '../list/views.tsx'
import { ManageLayout, ReadResult } from '../manage-layout.tsx'
import { excursionPath } from '../paths.ts'
import { type Read, withParams } from '../read.ts'
import { ExcursionSettings } from './excursion-settings.tsx'

export type ExcursionsFound = {
  excursions: Paged<ExcursionRow>
  settings: Settings
  state: ExcursionState | null
}

const filters = [
  [null, 'To review'],
  ['open', 'Going on'],
  ['ended', 'Ended by themselves'],
  ['closed', 'Closed'],
  ['withdrawn', 'Withdrawn'],
] as const

const viewFilters: readonly Filter[] = [
  {
    name: 'state',
    label: 'State',
    all: 'To review',
    choices: filters.flatMap(([key, label]) => (key === null ? [] : [[key, label] as const])),
  },
]

type Marked = Pick<ExcursionRow, 'closedAt' | 'endedAt' | 'withdrawnAt' | 'mergedInto'>

/** What became of an excursion, in a word. */
export function ExcursionMark({ row }: { row: Marked }) {
  if (row.mergedInto) return <Badge>part of another</Badge>
  if (row.withdrawnAt) return <Badge>withdrawn</Badge>
  if (row.closedAt) return <Badge tone="good">closed</Badge>
  return row.endedAt ? <Badge tone="warn">ended by itself</Badge> : <Badge tone="bad">going on</Badge>
}

/** Hours above the limit in total that food safety counts in. */
export const Grade = ({ grade }: Pick<ExcursionRow, 'grade'>) =>
  grade > 0 && <Badge tone={grade === 4 ? 'bad' : 'warn'}>{grade} h in total</Badge>

const Name = ({ id, boxID, species }: ExcursionRow) => (
  <>
    <RowLink to={useInList(excursionPath(id))} className="wrap-anywhere">
      {boxID}
    </RowLink>
    {species && <span className="block muted">{species}</span>}
  </>
)

const excursionColumns = columnsOf<'excursion', ExcursionRow>('excursion', {
  box: {
    heading: 'Box',
    isName: true,
    cell: (row) => <Name {...row} />,
  },
  what: { heading: 'What', className: 'max-lg:w-full', cell: ({ text }) => text },
  since: {
    heading: 'Since',
    className: 'text-sm',
    cell: ({ since, endedAt }) => (
      <>
        <span className="text-slate lg:hidden">Since </span>
        <Moment at={since} />
        {endedAt && (
          <span className="block text-slate">
            until <Moment at={endedAt} />
          </span>
        )}
      </>
    ),
  },
  state: {
    heading: 'State',
    cell: (row) => (
      <span className="flex flex-wrap gap-2">
        <ExcursionMark row={row} />
        <Grade grade={row.grade} />
      </span>
    ),
  },
  peak: {
    heading: 'Warmest',
    labelled: true,
    isNumber: true,
    className: 'lg:whitespace-nowrap',
    cell: ({ peak }) => peak !== null && `${temperatureText(peak)} °C`,
  },
})

/** Narrows the list to a state, within the view that is shown: what it then differs in can be saved. */
function StateLinks({ shown }: { shown: ExcursionState | null }) {
  const [params] = useSearchParams()
  const standard = useViews()?.standard ?? '?'
  const hrefOf = (state: ExcursionState | null): string => {
    const asked = withParams(params, { state: state ?? '' })
    return asked === '?' ? standard : asked // without a question the list opens with a view where somebody chose one
  }
  return (
    <nav aria-label="Which excursions" className="mb-4 flex flex-wrap gap-2">
      {filters.map(([state, label]) => (
        <Link
          key={label}
          to={hrefOf(state)}
          aria-current={state === shown ? 'true' : undefined}
          className="tap rounded-md border border-edge bg-surface px-4 aria-[current=true]:border-teal aria-[current=true]:bg-teal aria-[current=true]:text-on-teal"
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

/** Manage Excursion: alerts about boxes, to be worked through. Source: decision 0055. */
export function ExcursionScreen({ found }: { found: Read<ExcursionsFound> }) {
  return (
    <ManageLayout help={false}>
      <ReadResult found={found}>{(data) => <Excursions {...data} />}</ReadResult>
    </ManageLayout>
  )
}

function Excursions({ excursions, settings, state }: ExcursionsFound) {
  return (
    <>
      <ViewTabs filters={viewFilters} sorts={[]} />
      <StateLinks shown={state} />
      <PlainTable
        caption="Excursions"
        columns={excursionColumns}
        rows={excursions.rows}
        idOf={({ id }) => id}
        empty="No excursions here."
      />
      <ListPlaces {...excursions} thing="excursion" things="excursions" />
      <p className="mt-4 muted">An excursion prompts a check. It is not a food-safety ruling.</p>
      <ExcursionSettings settings={settings} />
    </>
  )
}
