import type { Paged } from '@befaqt/domain/api/box-api'
import { receiveLorawan, receiveTive } from '@befaqt/domain/api/endpoints/trackers'
import type { TrackerView } from '@befaqt/domain/tracker'
import { useState } from 'react'
import { Link } from 'react-router'
import { HistoryDialog } from '../list/history-dialog.tsx'
import { HistoryAction, RowAction } from '../list/row-action.tsx'
import { SearchedList } from '../list/searched-list.tsx'
import { ManageLayout } from '../manage-layout.tsx'
import type { Read } from '../read.ts'
import { ReadResult } from '../read-result.tsx'
import { useAction } from '../use-action.ts'
import { AssignDialog } from './assign-dialog.tsx'
import { trackerColumns } from './tracker-row.tsx'

/** Manage Tracker: with which box each device of another service travels. */
export function TrackerScreen({ found }: { found: Read<Paged<TrackerView>> }) {
  return (
    <ManageLayout title="Manage Tracker">
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
    <summary className="link inline-flex min-h-11 items-center">How a service is connected</summary>
    <p className="mb-3">
      A device is listed here after its first message. Each service needs a{' '}
      <Link to="/manage/key" className="link">
        key
      </Link>{' '}
      that may send readings.
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
          <Link to="/manage/box" className="link">
            Manage Box
          </Link>
          .
        </dd>
      </div>
    </dl>
    <p className="mt-3 text-slate">
      Nothing here is signed by the device: its readings are shown as sent with a key.
    </p>
  </details>
)
