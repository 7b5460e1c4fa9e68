import type { Paged } from '@befaqt/domain/api/box-api'
import type { ManagedSlot } from '@befaqt/domain/api/order-api'
import type { SlotFill, SlotPlan } from '@befaqt/domain/api/slot-rule-api'
import { mayAtDesk } from '@befaqt/domain/rights'
import { SLOT_DAYS } from '@befaqt/domain/slot-rules'
import { type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { ListPlaces } from '#web/components/list-places.tsx'
import { useViewer } from '#web/root-data.ts'
import { CreatePanel, StatusMessage } from '../form-parts.tsx'
import { FilterBar } from '../list/searched-list.tsx'
import { ManageLayout, ReadResult, useAction } from '../manage-layout.tsx'
import { isNarrowed, type Read } from '../read.ts'
import { CloseDayDialog, ClosedDays } from './closed-days.tsx'
import { RuleList } from './rule-list.tsx'
import { RuleForm, SlotAdd } from './slot-forms.tsx'
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
    <ManageLayout>
      <ReadResult found={found}>{(data) => <Slots {...data} />}</ReadResult>
    </ManageLayout>
  )
}

/** A part of the screen; on narrow ones a link at the top leads to it. */
const Part = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section aria-labelledby={id} className="min-w-0">
    <h2 id={id} className="mb-3 scroll-mt-20 text-2xl">
      {title}
    </h2>
    {children}
  </section>
)

/** The times to come first, which change from day to day; what they are made of beside or below. */
function Slots({ slots, plan }: SlotsFound) {
  const { message, done } = useAction()
  const viewer = useViewer()
  const [params] = useSearchParams()
  const [closing, setClosing] = useState<string | null>(null)
  const filled = (what: string, fill: SlotFill) => done(`${what}. ${fillText(fill)}`)
  const isPast = params.get('when') === 'past'
  const none =
    plan.rules.length === 0
      ? 'No times yet: nobody can order before there are times to choose from. Begin with a weekly time.'
      : 'No times to come.'
  return (
    <>
      <div className="-mt-3 mb-3 flex min-h-11 flex-wrap items-center gap-x-6">
        <nav aria-label="Parts of this screen" className="flex flex-wrap gap-x-5 min-[100rem]:hidden">
          <a href="#weekly" className="link tap">
            Weekly times
          </a>
          <a href="#closed" className="link tap">
            Closed days
          </a>
        </nav>
        <StatusMessage message={message} />
      </div>
      <div className="grid items-start gap-12 min-[100rem]:grid-cols-[minmax(0,1fr)_34rem]">
        <Part id="times" title={isPast ? 'Past times' : 'Times to come'}>
          <FilterBar filters={filters} sorts={[]} />
          <SlotList
            slots={slots.rows}
            empty={isNarrowed(params) ? 'No slots match.' : none}
            closed={new Set(plan.closedDays.map(({ day }) => day))}
            onCloseDay={isPast ? null : setClosing}
            onDone={done}
          />
          <ListPlaces {...slots} thing="slot" things="slots" />
          <div className="mt-4">
            <CreatePanel title="Add a single time" empty={false}>
              <SlotAdd onAdded={() => done('Added.')} />
            </CreatePanel>
          </div>
        </Part>
        <div className="grid min-w-0 gap-12">
          <Part id="weekly" title="Weekly times">
            <p className="mb-4 max-w-prose text-slate">
              They make the times of the next {SLOT_DAYS} days, again every day. A time with orders, or one
              that you changed, stays as it is.
            </p>
            <RuleList rules={plan.rules} onChanged={filled} />
            {mayAtDesk(viewer, 'site:write') && (
              <Link to="/manage/site?part=delivery" className="link tap">
                What deliveries cost, by postcode
              </Link>
            )}
            <div className="mt-4">
              <CreatePanel title="Add a weekly time" empty={plan.rules.length === 0}>
                <RuleForm rule={null} onSaved={(fill) => filled('Added', fill)} />
              </CreatePanel>
            </div>
          </Part>
          <Part id="closed" title="Closed days">
            <ClosedDays days={plan.closedDays} onChanged={filled} />
          </Part>
        </div>
      </div>
      <CloseDayDialog day={closing} onChanged={filled} onClose={() => setClosing(null)} />
    </>
  )
}
