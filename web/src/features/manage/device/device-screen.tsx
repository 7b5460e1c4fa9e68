import type { Paged } from '@befaqt/domain/api/box-api'
import { urlOf } from '@befaqt/domain/api/endpoint'
import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import { revokeDevice } from '@befaqt/domain/api/endpoints/devices'
import { type DeviceView, deviceLevels, Revocation } from '@befaqt/domain/device'
import { MAX_REASON } from '@befaqt/domain/limits'
import { temperatureText } from '@befaqt/domain/tracking'
import { useState } from 'react'
import { Link } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { Badge } from '#web/components/badge.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { InputField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Moment } from '#web/time/time.tsx'
import { ScreenLink } from '../desk/screen-link.tsx'
import { CreatePanel, FailureBanner, FormActions } from '../form-parts.tsx'
import { columnsOf } from '../list/columns.tsx'
import { HistoryDialog } from '../list/history-dialog.tsx'
import { RevocableActions } from '../list/list-table.tsx'
import { SearchedList } from '../list/searched-list.tsx'
import { ManageLayout, ReadResult, useAction } from '../manage-layout.tsx'
import { managedBoxPath } from '../paths.ts'
import type { Read } from '../read.ts'
import { DeviceAdd } from './device-add.tsx'

/** `readAt`: when the list was read, RFC 3339; what is silent is so at that moment. */
export type DevicesFound = { devices: Paged<DeviceView>; readAt: string }

const filters = [
  {
    name: 'kind',
    label: 'State',
    all: 'Any state',
    choices: [
      ['valid', 'valid'],
      ['revoked', 'revoked'],
    ] as const,
  },
]

/** Manage Device: whose signature counts, who is silent. Source: standards.md 'Signed readings'. */
export function DeviceScreen({ found }: { found: Read<DevicesFound> }) {
  return (
    <ManageLayout>
      <ReadResult found={found}>{(found) => <Devices {...found} />}</ReadResult>
    </ManageLayout>
  )
}

function Devices({ devices, readAt }: DevicesFound) {
  const { message, done } = useAction()
  const [ending, setEnding] = useState<DeviceView | null>(null)
  const [historyOf, setHistoryOf] = useState<DeviceView | null>(null)
  return (
    <>
      <p className="mb-4 max-w-prose text-slate">
        Each has a key of its own and signs its readings, with the box that they are of. Its entry in the
        register is public and anchored like a box. A supplier’s phone is registered by a link, which you make
        on <ScreenLink to="/manage/supplier">Manage Supplier</ScreenLink>.
      </p>
      <CreatePanel title="Register a device" empty={devices.total === 0}>
        <DeviceAdd onAdded={({ name }) => done(`Registered ${name}.`)} />
      </CreatePanel>
      <SearchedList
        page={devices}
        thing="device"
        things="devices"
        hint="Name or id of the key"
        filters={filters}
        message={message}
        empty="No device is registered yet."
        columns={deviceColumns(readAt)}
        idOf={({ id }) => id}
        actions={(device) => (
          <RevocableActions
            name={device.name}
            onRevoke={device.revokedAt === null ? () => setEnding(device) : undefined}
            onHistory={() => setHistoryOf(device)}
          />
        )}
      />
      <DeviceRevoke
        of={ending}
        onRevoked={({ name }) => {
          setEnding(null)
          done(`Revoked ${name}.`)
        }}
        onClose={() => setEnding(null)}
      />
      <HistoryDialog entity="device" of={historyOf} onClose={() => setHistoryOf(null)} />
    </>
  )
}

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
        <span className="block muted">
          <Moment at={revokedAt} />
        </span>
      </>
    )
  if (last === null || silentFrom === null) return <Badge>not heard yet</Badge>
  const isSilent = Date.parse(silentFrom) < Date.parse(now)
  return (
    <>
      {isSilent ? <Badge tone="warn">silent</Badge> : <Badge tone="good">reporting</Badge>}
      <span className="block muted">
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
const deviceColumns = (now: string) =>
  columnsOf<'device', DeviceView>('device', {
    device: {
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
    level: { heading: 'Readings are', className: 'text-sm', cell: ({ level }) => deviceLevels[level] },
    state: {
      heading: 'State',
      className: 'max-sm:w-full lg:min-w-34',
      cell: (device) => <State of={device} now={now} />,
    },
    last: {
      heading: 'Last reading',
      className: 'text-sm max-sm:w-full lg:min-w-32',
      cell: (device) => <LastReading {...device} />,
    },
    battery: {
      heading: 'Battery',
      labelled: true,
      isNumber: true,
      className: 'text-sm lg:whitespace-nowrap',
      cell: (device) => <Battery {...device} />,
    },
    register: {
      heading: 'Register',
      className: 'text-sm max-sm:w-full lg:min-w-36',
      cell: ({ id, name, validFrom }) => (
        <>
          <span className="text-slate">since</span> <Moment at={validFrom} />
          <a href={registerProof(id)} download={`device-${id}.proof.json`} className="link tap ml-2">
            Proof<span className="sr-only"> of the register’s entry of {name}</span>
          </a>
        </>
      ),
    },
  })

type RevokeProps = { of: DeviceView | null; onRevoked: (device: DeviceView) => void; onClose: () => void }

/** Asks why, before a device's key is ended for good. */
const DeviceRevoke = ({ of, onRevoked, onClose }: RevokeProps) => (
  <Dialog open={of !== null} title={`Revoke ${of?.name ?? ''}?`} onClose={onClose}>
    {of && <RevokeForm key={of.id} of={of} onRevoked={onRevoked} onClose={onClose} />}
  </Dialog>
)

function RevokeForm({ of, onRevoked, onClose }: RevokeProps & { of: DeviceView }) {
  const form = useForm(Revocation, async (body) => {
    await callApi(revokeDevice, { params: { id: of.id }, body })
    onRevoked(of)
  })
  return (
    <form {...form.formProps} aria-label={`Revoke ${of.name}`} className="grid gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <p>
        From now on every reading that it signs is refused, on open connections too. What it signed before
        stays as it is. It can’t be taken back: a device that returns is registered with a new key.
      </p>
      <InputField
        label="Why"
        name="reason"
        maxLength={MAX_REASON}
        autoComplete="off"
        hint="For the shop’s own history; the public register says only when."
        error={form.errors.reason}
      />
      <FormActions ready={form.ready} busy={form.busy} save="Revoke it for good" onCancel={onClose} />
    </form>
  )
}
