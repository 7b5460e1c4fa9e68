import type { Paged } from '@befaqt/domain/api/box-api'
import type { DeviceView } from '@befaqt/domain/device'
import { useState } from 'react'
import { Link, useRevalidator, useSearchParams } from 'react-router'
import { Pagination } from '#web/components/pagination.tsx'
import { CreatePanel } from '../list/create-panel.tsx'
import { valueText } from '../list/differences.ts'
import { FilterBar } from '../list/filter-bar.tsx'
import { HistoryDialog } from '../list/history-dialog.tsx'
import { isNarrowed } from '../list/list-query.ts'
import { EmptyList, PlainTable } from '../list/list-table.tsx'
import { RevocableActions } from '../list/revocable-actions.tsx'
import { ManageLayout } from '../manage-layout.tsx'
import type { Read } from '../read.ts'
import { ReadResult } from '../read-result.tsx'
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
  const { revalidate } = useRevalidator()
  const [params] = useSearchParams()
  const [ending, setEnding] = useState<DeviceView | null>(null)
  const [historyOf, setHistoryOf] = useState<DeviceView | null>(null)
  const [statusMessage, setStatusMessage] = useState('')
  const done = (message: string) => {
    setStatusMessage(message)
    void revalidate()
  }
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
      <h2 className="mb-2 text-2xl">Device List</h2>
      <FilterBar label="Search devices" hint="Name or id of the key" filters={filters} sorts={[]} />
      <p role="status" className="min-h-8 text-good">
        {statusMessage}
      </p>
      {devices.rows.length === 0 ? (
        <EmptyList>{isNarrowed(params) ? 'No devices match.' : 'No device is registered yet.'}</EmptyList>
      ) : (
        <PlainTable
          caption="Devices"
          columns={deviceColumns(readAt)}
          rows={devices.rows}
          idOf={({ id }) => id}
          actions={(device) => (
            <RevocableActions
              name={device.name}
              onRevoke={device.revokedAt === null ? () => setEnding(device) : undefined}
              onHistory={() => setHistoryOf(device)}
            />
          )}
        />
      )}
      <Pagination {...devices} thing="device" things="devices" />
      <DeviceRevoke
        of={ending}
        onRevoked={({ name }) => {
          setEnding(null)
          done(`Revoked ${name}.`)
        }}
        onClose={() => setEnding(null)}
      />
      <HistoryDialog
        entity="device"
        of={historyOf}
        valueText={(_, value) => valueText(value)}
        onClose={() => setHistoryOf(null)}
      />
    </>
  )
}
