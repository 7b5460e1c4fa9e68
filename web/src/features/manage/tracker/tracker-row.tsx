import { trackerSources } from '@befaqt/domain/device-formats/tracker-reading'
import type { TrackerView } from '@befaqt/domain/tracker'
import { temperatureText } from '@befaqt/domain/tracking'
import { Link } from 'react-router'
import { Badge } from '#web/components/badge.tsx'
import { Moment } from '#web/time/time.tsx'
import { managedBoxPath } from '../box/box-row.tsx'
import type { Column } from '../list/list-table.tsx'

const BoxLink = ({ box }: { box: string }) => (
  <Link to={managedBoxPath(box)} className="link wrap-anywhere">
    {box}
  </Link>
)

function Travels({ assigned }: Pick<TrackerView, 'assigned'>) {
  if (assigned === null) return <Badge tone="warn">not assigned</Badge>
  return (
    <>
      {assigned.box === null ? <Badge>with no box</Badge> : <BoxLink box={assigned.box} />}
      <span className="block text-slate">
        since <Moment at={assigned.from} />
      </span>
    </>
  )
}

function LastReading({ last, battery }: Pick<TrackerView, 'last' | 'battery'>) {
  return (
    <>
      {last === null ? (
        <span className="text-slate">none stored yet</span>
      ) : (
        <>
          <span className="font-semibold tabular-nums">{temperatureText(last.temperature)} °C</span>{' '}
          <Moment at={last.readingAt} />
          <span className="block">
            in <BoxLink box={last.box} />
          </span>
        </>
      )}
      {battery !== null && <span className="block text-slate">battery {Math.round(battery)}%</span>}
    </>
  )
}

/** What the list of trackers shows. */
export const trackerColumns: readonly Column<TrackerView>[] = [
  {
    heading: 'Device',
    isName: true,
    className: 'lg:min-w-40',
    cell: ({ name, deviceId }) => (
      <>
        <span className="font-semibold wrap-anywhere">{name}</span>
        {name !== deviceId && <code className="block text-slate text-xs wrap-anywhere">{deviceId}</code>}
      </>
    ),
  },
  { heading: 'Service', className: 'text-sm', cell: ({ source }) => trackerSources[source] },
  {
    heading: 'Travels with',
    className: 'text-sm max-lg:w-full lg:min-w-36',
    cell: (tracker) => <Travels {...tracker} />,
  },
  {
    heading: 'Last reading',
    className: 'text-sm max-lg:w-full lg:min-w-40',
    cell: (tracker) => <LastReading {...tracker} />,
  },
  {
    heading: 'Last message',
    className: 'text-sm max-lg:w-full',
    cell: ({ heardAt, refusal }) => (
      <>
        <Moment at={heardAt} />
        {refusal !== null && <span className="block text-warn">Refused: {refusal}</span>}
      </>
    ),
  },
]
