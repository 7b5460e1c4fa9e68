import type { ManagedCoupon } from '@befaqt/domain/api/coupon-api'
import { deleteCoupon, updateCoupon } from '@befaqt/domain/api/endpoints/managed-coupons'
import type { CategoryChoice } from '@befaqt/domain/api/manage-api'
import { cents, formatDollars } from '@befaqt/domain/money'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useFocusAfterRemoval } from '#web/components/use-focus-after-removal.ts'
import { Moment } from '#web/time/time.tsx'
import { Confirm, CreatePanel, FailureBanner, StatusMessage } from '../form-parts.tsx'
import { columnsOf } from '../list/columns.tsx'
import { HistoryDialog } from '../list/history-dialog.tsx'
import { HistoryAction, PlainTable, RowAction } from '../list/list-table.tsx'
import { FilterBar } from '../list/searched-list.tsx'
import { ManageLayout, ReadResult, useAction } from '../manage-layout.tsx'
import type { Read } from '../read.ts'
import { CouponAdd } from './coupon-add.tsx'
import { goodsText, offText, usesText } from './coupon-values.ts'

export type OffersFound = { coupons: ManagedCoupon[]; categories: CategoryChoice[] }

/** Manage Offer: coupons, what they take off and how often they are used. */
export function OfferScreen({ found }: { found: Read<OffersFound> }) {
  return (
    <ManageLayout>
      <ReadResult found={found}>{(data) => <Coupons {...data} />}</ReadResult>
    </ManageLayout>
  )
}

function Coupons({ coupons, categories }: OffersFound) {
  const { message, done } = useAction()
  const hydrated = useHydrated()
  const { busy, failure, run, dismiss } = useCall()
  const [deleting, setDeleting] = useState<ManagedCoupon | null>(null)
  const [historyOf, setHistoryOf] = useState<{ id: string; name: string } | null>(null)
  const { place, removing } = useFocusAfterRemoval<HTMLDivElement>('delete')
  const [params] = useSearchParams()
  const state = stateFilter.choices.find(([known]) => known === params.get('state'))?.[0]
  const rows = state ? coupons.filter((coupon) => coupon.state === state) : coupons
  const end = (coupon: ManagedCoupon) =>
    run(async () => {
      const { _id: id, code, version } = coupon
      const ended = coupon.endedAt === null
      await callApi(updateCoupon, { params: { id }, body: { ended }, version })
      done(ended ? `Ended ${code}. Orders that have it keep it.` : `${code} can be used again.`)
    })
  return (
    <>
      <CreatePanel title="Create coupon" empty={coupons.length === 0}>
        <CouponAdd categories={categories} onMade={({ code }) => done(`Created ${code}.`)} />
      </CreatePanel>
      <h2 className="mb-2 text-2xl">Coupon List</h2>
      <FilterBar filters={[stateFilter]} sorts={[]} />
      <StatusMessage message={message} className="min-h-8" />
      {failure !== null && <FailureBanner error={failure} onDismiss={dismiss} />}
      <div ref={place}>
        <PlainTable
          caption="Coupons"
          columns={columns}
          rows={rows}
          idOf={({ _id }) => _id}
          empty={state ? 'No coupons match.' : 'There is no coupon.'}
          actions={(coupon) => (
            <>
              <RowAction
                action="end"
                label={`${coupon.endedAt === null ? 'End' : 'Allow again'} ${coupon.code}`}
                disabled={!hydrated}
                aria-busy={busy}
                onClick={() => void end(coupon)}
              >
                {coupon.endedAt === null ? 'End' : 'Allow again'}
              </RowAction>
              {coupon.used === 0 && (
                <RowAction
                  action="delete"
                  label={`Delete ${coupon.code}`}
                  disabled={!hydrated}
                  onClick={() => setDeleting(coupon)}
                >
                  Delete
                </RowAction>
              )}
              <HistoryAction
                name={coupon.code}
                disabled={!hydrated}
                onClick={() => setHistoryOf({ id: coupon._id, name: coupon.code })}
              />
            </>
          )}
        />
      </div>
      <Dialog
        open={deleting !== null}
        title={`Delete ${deleting?.code ?? ''}?`}
        onClose={() => setDeleting(null)}
      >
        {deleting && (
          <Confirm
            action="Delete it"
            onClose={() => setDeleting(null)}
            onConfirm={async () => {
              const { _id: id, code, version } = deleting
              await callApi(deleteCoupon, { params: { id }, version })
              removing(
                rows.map(({ _id }) => _id),
                id,
              )
              setDeleting(null)
              done(`Deleted ${code}.`)
            }}
          >
            <p>No order has it. Its code can be used for another coupon then.</p>
          </Confirm>
        )}
      </Dialog>
      <HistoryDialog entity="coupon" of={historyOf} onClose={() => setHistoryOf(null)} />
    </>
  )
}

const states: Readonly<Record<ManagedCoupon['state'], { words: string; tone: BadgeTone }>> = {
  open: { words: 'open', tone: 'good' },
  early: { words: 'not yet', tone: 'warn' },
  over: { words: 'ended', tone: 'bad' },
  'used up': { words: 'used up', tone: 'warn' },
}

const stateFilter = {
  name: 'state',
  label: 'State',
  all: 'Any state',
  choices: Object.entries(states).map(([state, { words }]) => [state, words] as const),
}

function When({ of: { state, from, until } }: { of: ManagedCoupon }) {
  const { words, tone } = states[state]
  return (
    <>
      <Badge tone={tone}>{words}</Badge>
      {from && (
        <span className="block text-slate">
          from <Moment at={from} />
        </span>
      )}
      {until && (
        <span className="block text-slate">
          until <Moment at={until} />
        </span>
      )}
    </>
  )
}

/** What the list of coupons shows. */
const columns = columnsOf<'offer', ManagedCoupon>('offer', {
  code: {
    heading: 'Code',
    isName: true,
    className: 'lg:min-w-32',
    cell: ({ code }) => <span className="font-semibold wrap-anywhere">{code}</span>,
  },
  off: { heading: 'Takes off', labelled: true, cell: offText },
  for: { heading: 'For', labelled: true, className: 'wrap-anywhere lg:min-w-36', cell: goodsText },
  when: { heading: 'When', className: 'text-sm', cell: (coupon) => <When of={coupon} /> },
  used: {
    heading: 'Used',
    labelled: true,
    isNumber: true,
    cell: (coupon) => (
      <>
        {usesText(coupon)}
        {coupon.given > 0 && (
          <span className="block muted">{formatDollars(cents(coupon.given))} taken off</span>
        )}
      </>
    ),
  },
  made: {
    heading: 'Made',
    labelled: true,
    className: 'text-sm',
    cell: ({ createdAt }) => createdAt && <Moment at={createdAt} />,
  },
})
