import type { Paged } from '@befaqt/domain/api/box-api'
import type { ManagedSlot } from '@befaqt/domain/api/order-api'
import type { SlotFill, SlotPlan } from '@befaqt/domain/api/slot-rule-api'
import { SLOT_DAYS } from '@befaqt/domain/slot-rules'
import { Pagination } from '#web/components/pagination.tsx'
import { StatusMessage } from '../form-parts.tsx'
import { CreatePanel } from '../list/create-panel.tsx'
import { FilterBar } from '../list/filter-bar.tsx'
import { ManageLayout } from '../manage-layout.tsx'
import type { Read } from '../read.ts'
import { ReadResult } from '../read-result.tsx'
import { useAction } from '../use-action.ts'
import { ClosedDays } from './closed-days.tsx'
import { RuleForm } from './rule-form.tsx'
import { RuleList } from './rule-list.tsx'
import { SlotAdd } from './slot-add.tsx'
import { SlotList } from './slot-list.tsx'

export type SlotsFound = { slots: Paged<ManagedSlot>; plan: SlotPlan }

const filters = [
  {
    name: 'kind',
    label: 'For',
    all: 'Both',
    choices: [
      ['pickup', 'Pick-up'],
      ['delivery', 'Delivery'],
    ] as const,
  },
  { name: 'when', label: 'When', all: 'To come', choices: [['past', 'Past']] as const },
]

/** What a change of rules did, as a sentence. */
function fillText({ made, changed, removed, kept }: SlotFill): string {
  const parts = [
    made > 0 ? [`${made} made`] : [],
    changed > 0 ? [`${changed} changed`] : [],
    removed > 0 ? [`${removed} removed`] : [],
    kept > 0 ? [`${kept} left as they are, with orders or changed by hand`] : [],
  ].flat()
  return parts.length === 0 ? 'No times changed.' : `Times: ${parts.join(', ')}.`
}

/** Manage Slot: when orders are picked up or delivered, by weekly rules and by hand. */
export function SlotScreen({ found }: { found: Read<SlotsFound> }) {
  return (
    <ManageLayout title="Manage Slot">
      <ReadResult found={found}>{(data) => <Slots {...data} />}</ReadResult>
    </ManageLayout>
  )
}

function Slots({ slots, plan }: SlotsFound) {
  const { message, done } = useAction()
  const filled = (what: string, fill: SlotFill) => done(`${what}. ${fillText(fill)}`)
  return (
    <>
      <StatusMessage message={message} className="min-h-8" />
      <h2 className="mb-2 text-2xl">Weekly times</h2>
      <p className="mb-4 max-w-prose text-slate">
        They create the times of the next {SLOT_DAYS} days and are applied again every day. A time with
        orders, or one that you changed, stays as it is.
      </p>
      <CreatePanel title="Add a weekly time" empty={plan.rules.length === 0}>
        <RuleForm rule={null} onSaved={(fill) => filled('Added', fill)} />
      </CreatePanel>
      <RuleList rules={plan.rules} onChanged={filled} />
      <h2 className="mt-10 mb-4 text-2xl">Closed days</h2>
      <ClosedDays days={plan.closedDays} onChanged={filled} />
      <h2 className="mt-10 mb-4 text-2xl">Slot List</h2>
      <CreatePanel title="Add a single time" empty={false}>
        <SlotAdd onAdded={() => done('Added.')} />
      </CreatePanel>
      <FilterBar filters={filters} sorts={[]} />
      <SlotList slots={slots.rows} onDone={done} />
      <Pagination {...slots} thing="slot" things="slots" />
    </>
  )
}
