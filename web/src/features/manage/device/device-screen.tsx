import type { Paged } from '@befaqt/domain/api/box-api'
import type { DeviceView } from '@befaqt/domain/device'
import { useState } from 'react'
import { Link } from 'react-router'
import { CreatePanel } from '../list/create-panel.tsx'
import { HistoryDialog } from '../list/history-dialog.tsx'
import { RevocableActions } from '../list/row-action.tsx'
import { SearchedList } from '../list/searched-list.tsx'
import { ManageLayout } from '../manage-layout.tsx'
import type { Read } from '../read.ts'
import { ReadResult } from '../read-result.tsx'
import { useAction } from '../use-action.ts'
import { DeviceAdd } from './device-add.tsx'
import { DeviceRevoke } from './device-revoke.tsx'
import { deviceColumns } from './device-row.tsx'

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
    <ManageLayout title="Manage Device">
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
        on{' '}
        <Link to="/manage/supplier" className="link">
          Manage Supplier
        </Link>
        .
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
