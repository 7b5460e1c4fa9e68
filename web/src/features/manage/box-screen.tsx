import type { Paged } from '@befaqt/domain/api/box-api'
import type { LedgerHealth as Health, ManagedBox } from '@befaqt/domain/api/manage-api'
import { useNavigate } from 'react-router'
import { Pagination } from '#web/components/pagination.tsx'
import { AddPanel } from './add-panel.tsx'
import { BoxRegister } from './box-register.tsx'
import { BoxActions, boxAddress, boxColumns } from './box-row.tsx'
import { FilterBar } from './filter-bar.tsx'
import { LedgerHealth } from './ledger-health.tsx'
import { EmptyList, PlainTable } from './list/list-table.tsx'
import { stages } from './manage-address.ts'
import { ManageFrame } from './manage-frame.tsx'
import type { Read } from './read.ts'
import { ReadResult } from './read-result.tsx'

export type BoxesFound = { boxes: Paged<ManagedBox>; health: Health }

const filters = [
  {
    name: 'stage',
    label: 'State',
    all: 'Any state',
    choices: stages.map((stage) => [stage, stage === 'alerts' ? 'with alerts' : stage] as const),
  },
]

/** Manage Box: find a box by where it is and what is wrong, register one, see how far the ledger is. */
export function BoxScreen({ found }: { found: Read<BoxesFound> }) {
  return (
    <ManageFrame title="Manage Box">
      <ReadResult found={found}>{(boxes) => <Boxes {...boxes} />}</ReadResult>
    </ManageFrame>
  )
}

function Boxes({ boxes, health }: BoxesFound) {
  const navigate = useNavigate()
  return (
    <>
      <AddPanel title="Register a Box" empty={boxes.total === 0}>
        <BoxRegister onRegistered={({ boxID }) => void navigate(boxAddress(boxID))} />
      </AddPanel>
      <h2 className="mb-4 text-2xl">Box List</h2>
      <FilterBar label="Search boxes" hint="Box id, species or trader" filters={filters} sorts={[]} />
      {boxes.rows.length === 0 ? (
        <EmptyList>No box fits.</EmptyList>
      ) : (
        <PlainTable
          caption="Boxes"
          columns={boxColumns}
          rows={boxes.rows}
          idOf={({ boxID }) => boxID}
          actions={({ boxID }) => <BoxActions boxID={boxID} />}
        />
      )}
      <Pagination {...boxes} thing="box" things="boxes" />
      <div className="mt-8">
        <LedgerHealth health={health} />
      </div>
    </>
  )
}
