import type { Paged } from '@befaqt/domain/api/box-api'
import { assignTracker, receiveLorawan, receiveTive } from '@befaqt/domain/api/endpoints/devices'
import { marketTime } from '@befaqt/domain/market-time'
import { Assignment, type TrackerView, trackerSources } from '@befaqt/domain/tracker'
import { temperatureText } from '@befaqt/domain/tracking'
import { useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { callApi } from '#web/api/call-api.ts'
import { Badge } from '#web/components/badge.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { InputField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Moment, useMarketZone } from '#web/time/time.tsx'
import { recordTime } from './box/box-forms.ts'
import { ScreenLink } from './desk/screen-link.tsx'
import { FailureBanner, FormActions } from './form-parts.tsx'
import { columnsOf } from './list/columns.tsx'
import { HistoryDialog } from './list/history-dialog.tsx'
import { HistoryAction, RowAction } from './list/list-table.tsx'
import { SearchedList } from './list/searched-list.tsx'
import { ManageLayout, ReadResult, useAction } from './manage-layout.tsx'
import { managedBoxPath } from './paths.ts'
import type { Read } from './read.ts'

/** Manage Tracker: with which box each device of another service travels. */
export function TrackerScreen({ found }: { found: Read<Paged<TrackerView>> }) {
  return (
    <ManageLayout>
      <ReadResult found={found}>{(trackers) => <Trackers trackers={trackers} />}</ReadResult>
    </ManageLayout>
  )
}

function Trackers({ trackers }: { trackers: Paged<TrackerView> }) {
  const { message, done, ready } = useAction()
  const [assigning, setAssigning] = useState<TrackerView | null>(null)
  const [historyOf, setHistoryOf] = useState<TrackerView | null>(null)
  const onAssigned = ({ name, assigned }: TrackerView) => {
    setAssigning(null)
    done(assigned?.box ? `${name} travels with ${assigned.box}.` : `${name} travels with no box.`)
  }
  return (
    <>
      <Connecting />
      <SearchedList
        page={trackers}
        thing="tracker"
        things="trackers"
        hint="Name or id"
        message={message}
        empty="No such device was heard yet."
        columns={trackerColumns}
        idOf={({ id }) => id}
        actions={(tracker) => (
          <>
            <RowAction
              action="assign"
              label={`Assign ${tracker.name}`}
              disabled={!ready}
              onClick={() => setAssigning(tracker)}
            >
              Assign
            </RowAction>
            <HistoryAction name={tracker.name} disabled={!ready} onClick={() => setHistoryOf(tracker)} />
          </>
        )}
      />
      <AssignDialog of={assigning} onAssigned={onAssigned} onClose={() => setAssigning(null)} />
      <HistoryDialog entity="device" of={historyOf} onClose={() => setHistoryOf(null)} />
    </>
  )
}

/** Where the services send to, for whoever sets them up. */
const Connecting = () => (
  <details className="mb-8 max-w-prose">
    <summary className="link tap">How a service is connected</summary>
    <p className="mb-3">
      A device is listed here after its first message. Each service needs a{' '}
      <ScreenLink to="/manage/key">key</ScreenLink> that may send readings.
    </p>
    <dl className="grid gap-3 [&_dt]:font-semibold">
      <div>
        <dt>Tive</dt>
        <dd>
          Webhook to <code className="wrap-anywhere">{receiveTive.url}</code>, the key in the header{' '}
          <code>TiveApiKey</code>
        </dd>
      </div>
      <div>
        <dt>ChirpStack 4, The Things Stack 3</dt>
        <dd>
          HTTP integration or webhook in JSON to <code className="wrap-anywhere">{receiveLorawan.url}</code>,
          header <code>Authorization: Bearer</code> and the key. Bytes of an LHT52 are decoded here; of others
          the network’s decoder has to give <code>temperature</code>.
        </dd>
      </div>
      <div>
        <dt>Loggers that leave a CSV file</dt>
        <dd>
          The file is imported on the page of its box, under{' '}
          <ScreenLink to="/manage/box">Manage Box</ScreenLink>.
        </dd>
      </div>
    </dl>
    <p className="mt-3 text-slate">
      Nothing here is signed by the device: its readings are shown as sent with a key.
    </p>
  </details>
)

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
const trackerColumns = columnsOf<'tracker', TrackerView>('tracker', {
  device: {
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
  service: { heading: 'Service', className: 'text-sm', cell: ({ source }) => trackerSources[source] },
  box: {
    heading: 'Travels with',
    className: 'text-sm max-sm:w-full lg:min-w-36',
    cell: (tracker) => <Travels {...tracker} />,
  },
  last: {
    heading: 'Last reading',
    className: 'text-sm max-sm:w-full lg:min-w-40',
    cell: (tracker) => <LastReading {...tracker} />,
  },
  message: {
    heading: 'Last message',
    className: 'text-sm max-sm:w-full',
    cell: ({ heardAt, refusal }) => (
      <>
        <Moment at={heardAt} />
        {refusal !== null && <span className="block text-warn">Refused: {refusal}</span>}
      </>
    ),
  },
})

/** A form's values as the API takes them: no box is null, and a picked time is one of the market's clock. */
const AssignForm = z.preprocess((values) => {
  const { box, time } = Object(values)
  return { box: String(box ?? '').trim() || null, time: recordTime(String(time ?? '')) }
}, Assignment)

type AssignProps = { of: TrackerView | null; onAssigned: (tracker: TrackerView) => void; onClose: () => void }

/** Says with which box a device travels, and since when. */
const AssignDialog = ({ of, onAssigned, onClose }: AssignProps) => (
  <Dialog open={of !== null} title={`Assign ${of?.name ?? ''}`} onClose={onClose}>
    {of && <AssignFields key={of.id} of={of} onAssigned={onAssigned} onClose={onClose} />}
  </Dialog>
)

function AssignFields({ of, onAssigned, onClose }: AssignProps & { of: TrackerView }) {
  const zone = useMarketZone()
  const form = useForm(AssignForm, async (body) => {
    onAssigned(await callApi(assignTracker, { params: { id: of.id }, body }))
  })
  const now = marketTime(Date.now(), zone).replace(' ', 'T').slice(0, 16)
  return (
    <form {...form.formProps} aria-label={`Assign ${of.name}`} className="grid gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <p>
        Readings go to the box that the device travelled with when it measured. What was stored before stays
        where it is; what was refused comes only if its service sends it again.
      </p>
      <InputField
        label="Box"
        name="box"
        defaultValue={of.assigned?.box ?? ''}
        autoComplete="off"
        hint="Its id; left empty, the device travels with no box"
        error={form.errors.box}
      />
      <InputField
        label="Since"
        name="time"
        type="datetime-local"
        defaultValue={now}
        max={now}
        hint={`By the market’s clock (${zone})`}
        error={form.errors.time}
      />
      <FormActions ready={form.ready} busy={form.busy} save="Assign" onCancel={onClose} />
    </form>
  )
}
