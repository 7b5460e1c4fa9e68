import { urlOf } from '@befaqt/domain/api/endpoint'
import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import { type DeviceView, deviceLevels } from '@befaqt/domain/device'
import { temperatureText } from '@befaqt/domain/tracking'
import { Link } from 'react-router'
import { Badge } from '#web/components/badge.tsx'
import { Moment } from '#web/time/time.tsx'
import { managedBoxPath } from '../box/box-row.tsx'
import type { Column } from '../list/list-table.tsx'

/** Below this a battery is said to be low, in percent. */
const LOW_BATTERY = 20

/** '10 min', '3 h': how often something is heard, in the unit that fits. */
const intervalText = (seconds: number): string => {
  if (seconds < 90) return `${Math.round(seconds)} s`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}

/** The state of a device when the list was read. */
function State({ of: { revokedAt, silentFrom, last, intervalS }, now }: { of: DeviceView; now: string }) {
  if (revokedAt !== null)
    return (
      <>
        <Badge tone="bad">revoked</Badge>
        <span className="block text-slate text-sm">
          <Moment at={revokedAt} />
        </span>
      </>
    )
  if (last === null || silentFrom === null) return <Badge>not heard yet</Badge>
  const isSilent = Date.parse(silentFrom) < Date.parse(now)
  return (
    <>
      {isSilent ? <Badge tone="warn">silent</Badge> : <Badge tone="good">reporting</Badge>}
      <span className="block text-slate text-sm">
        {isSilent && (
          <>
            heard <Moment at={last.heardAt} />
            {intervalS !== null && ', '}
          </>
        )}
        {intervalS !== null && `usually every ${intervalText(intervalS)}`}
      </span>
    </>
  )
}

function LastReading({ last }: Pick<DeviceView, 'last'>) {
  if (last === null) return <span className="text-slate">no reading yet</span>
  return (
    <>
      <span className="font-semibold tabular-nums">{temperatureText(last.temperature)} °C</span>{' '}
      <Moment at={last.readingAt} />
      <span className="block">
        in{' '}
        <Link to={managedBoxPath(last.box)} className="link wrap-anywhere">
          {last.box}
        </Link>
      </span>
    </>
  )
}

function Battery({ last }: Pick<DeviceView, 'last'>) {
  const battery = last?.battery ?? null
  if (battery === null) return <span className="text-slate">not reported</span>
  return (
    <span className={`tabular-nums ${battery < LOW_BATTERY ? 'font-semibold text-warn' : ''}`}>
      {Math.round(battery)}%{battery < LOW_BATTERY && ', low'}
    </span>
  )
}

const registerProof = (id: string): string => urlOf(readProof, { params: { boxID: `device:${id}` } })

/** What the list of devices shows; `now`: when it was read. */
export const deviceColumns = (now: string): readonly Column<DeviceView>[] => [
  {
    heading: 'Device',
    isName: true,
    className: 'lg:min-w-44',
    cell: ({ name, id, supplier }) => (
      <>
        <span className="font-semibold wrap-anywhere">{name}</span>
        {supplier && (
          <span className="block text-sm">
            Phone of {supplier.party ?? 'an account that was deleted'}, for their boxes
          </span>
        )}
        <code className="block text-slate text-xs wrap-anywhere">{id}</code>
      </>
    ),
  },
  { heading: 'Readings are', className: 'text-sm', cell: ({ level }) => deviceLevels[level] },
  {
    heading: 'State',
    className: 'max-lg:w-full lg:min-w-36',
    cell: (device) => <State of={device} now={now} />,
  },
  {
    heading: 'Last reading',
    className: 'text-sm max-lg:w-full lg:min-w-40',
    cell: (device) => <LastReading {...device} />,
  },
  {
    heading: 'Battery',
    labelled: true,
    className: 'text-sm lg:whitespace-nowrap',
    cell: (device) => <Battery {...device} />,
  },
  {
    heading: 'Register',
    className: 'text-sm max-lg:w-full',
    cell: ({ id, name, validFrom }) => (
      <>
        <span className="text-slate">since </span>
        <Moment at={validFrom} />
        <a
          href={registerProof(id)}
          download={`device-${id}.proof.json`}
          className="link flex min-h-11 items-center"
        >
          Proof<span className="sr-only"> of the register’s entry of {name}</span>
        </a>
      </>
    ),
  },
]
