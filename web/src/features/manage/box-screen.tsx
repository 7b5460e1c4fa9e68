import type { Paged } from '@befaqt/domain/api/box-api'
import type { LedgerHealth as Health, ManagedBox } from '@befaqt/domain/api/manage-api'
import { useNavigate } from 'react-router'
import { AddPanel } from './add-panel.tsx'
import { BoxRegister } from './box-register.tsx'
import { BoxRow, boxAddress, boxGrid } from './box-row.tsx'
import { ColumnHeads } from './column-heads.tsx'
import { FilterBar } from './filter-bar.tsx'
import { LedgerHealth } from './ledger-health.tsx'
import { stages } from './manage-address.ts'
import { ManageFrame } from './manage-frame.tsx'
import { PagesNav } from './pages-nav.tsx'
import type { Read } from './read.ts'
import { ReadResult } from './read-result.tsx'
import { moveBetweenRows } from './row-keys.ts'

export type BoxesFound = { boxes: Paged<ManagedBox>; health: Health }

const filters = [
  {
    name: 'stage',
    label: 'State',
    all: 'Any state',
    choices: stages.map((stage) => [stage, stage === 'alerts' ? 'with alerts' : stage] as const),
  },
]

const columns = [
  ['', 'Box'],
  ['', 'Species and trader'],
  ['', 'State'],
  ['', 'Caught'],
  ['', 'Products and alerts'],
  ['', ''],
] as const

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
      <ColumnHeads columns={columns} grid={boxGrid} />
      {boxes.rows.length === 0 ? (
        <p className="border-line border-y py-8 text-lg text-slate">No box fits.</p>
      ) : (
        <ul aria-label="Boxes" onKeyDown={moveBetweenRows} className="border-line border-t">
          {boxes.rows.map((box) => (
            <BoxRow key={box.boxID} box={box} />
          ))}
        </ul>
      )}
      <PagesNav {...boxes} thing="box" things="boxes" />
      <div className="mt-8">
        <LedgerHealth health={health} />
      </div>
    </>
  )
}
