import type { Paged } from '@befaqt/domain/api/box-api'
import type { ExcursionDetail, ExcursionRow } from '@befaqt/domain/api/excursion-api'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Badge } from '#web/components/badge.tsx'
import { Moment } from '#web/time/time.tsx'
import { BesideLine, ListBeside, WithListBeside } from '../list/list-beside.tsx'
import { ManageLayout, ReadResult } from '../manage-layout.tsx'
import { excursionPath, managedBoxPath, managedOrderPath } from '../paths.ts'
import type { Read } from '../read.ts'
import { ExcursionActions } from './excursion-actions.tsx'
import { ExcursionChart } from './excursion-chart.tsx'
import { ExcursionMark, Grade } from './excursion-screen.tsx'

/** `list`: the page of the list that the address asks for. */
export type ExcursionFound = { excursion: ExcursionDetail; list: Paged<ExcursionRow> }

/** One excursion: what was measured, what is on sale and was sold, and what was done about it. */
export function ExcursionDetailScreen({ found }: { found: Read<ExcursionFound> }) {
  const list = found.data && <ExcursionsBeside excursions={found.data.list} shown={found.data.excursion.id} />
  return (
    <ManageLayout title="Excursion" help={false}>
      <WithListBeside back="Back to the list" to="/manage/excursion" list={list}>
        <ReadResult found={found}>
          {({ excursion }) => <Detail key={excursion.id} of={excursion} />}
        </ReadResult>
      </WithListBeside>
    </ManageLayout>
  )
}

/** The excursions as they were narrowed. */
const ExcursionsBeside = ({ excursions, shown }: { excursions: Paged<ExcursionRow>; shown: string }) => (
  <ListBeside
    label="Excursions beside this one"
    thing="excursion"
    things="excursions"
    list={excursions}
    idOf={({ id }) => id}
    shown={shown}
    pathOf={excursionPath}
  >
    {(row) => (
      <>
        <BesideLine>
          <span className="font-semibold wrap-anywhere">{row.boxID}</span>
          <ExcursionMark row={row} />
        </BesideLine>
        <span className="block wrap-anywhere">{row.text}</span>
        <span className="block text-slate">
          <Moment at={row.since} />
        </span>
      </>
    )}
  </ListBeside>
)

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid content-start gap-2 rounded-lg border border-line bg-surface p-4">
      <h2 className="text-2xl">{title}</h2>
      {children}
    </section>
  )
}

function Detail({ of }: { of: ExcursionDetail }) {
  const { id, boxID, species, text, since, endedAt, peakAt, products, orders, notes, notices } = of
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-center gap-3">
        <Link to={managedBoxPath(boxID)} className="link tap font-semibold text-xl">
          Box {boxID}
        </Link>
        {species} <ExcursionMark row={of} /> <Grade grade={of.grade} />
      </div>
      <p>
        {text} Since <Moment at={since} />
        {endedAt ? (
          <>
            , ended by itself <Moment at={endedAt} />
          </>
        ) : (
          ', and going on'
        )}
        {peakAt && (
          <>
            ; highest <Moment at={peakAt} />
          </>
        )}
        .
      </p>
      <Withdrawn of={of} />
      <ExcursionChart of={of} />
      <ExcursionActions of={of} />
      <div className="grid gap-4 lg:grid-cols-3">
        <Part title="From this box">
          <SaleState sale={of.sale} />
          {products.length === 0 && <p className="text-slate">No product is linked to it.</p>}
          <ul>
            {products.map(({ _id, title, status }) => (
              <li key={_id} className="flex min-h-11 flex-wrap items-center justify-between gap-2">
                {title}{' '}
                <Badge tone={status === 'ACTIVE' ? 'warn' : 'plain'}>
                  {status === 'ACTIVE' ? 'listed' : 'not listed'}
                </Badge>
              </li>
            ))}
          </ul>
        </Part>
        <Part title="Orders from this box">
          {orders.length === 0 && <p className="text-slate">Nothing was sold from it.</p>}
          <ul>
            {orders.map(({ _id, number, status }) => (
              <li key={_id} className="flex min-h-11 flex-wrap items-center justify-between gap-2">
                <Link to={managedOrderPath(_id)} className="link">
                  {number}
                </Link>
                <Badge>{status}</Badge>
              </li>
            ))}
          </ul>
        </Part>
        <Part title="Notified">
          {notices.length === 0 && <p className="text-slate">Nobody was notified.</p>}
          <ul className="grid gap-2 text-sm">
            {notices.map((notice) => (
              <li key={notice.id} className="wrap-anywhere">
                {notice.event}: {notice.address} <Delivery of={notice} />
                {notice.lastError && <span className="block text-slate">{notice.lastError}</span>}
              </li>
            ))}
          </ul>
        </Part>
      </div>
      <Part title="Notes">
        {notes.length === 0 && <p className="text-slate">No notes yet.</p>}
        <ul className="divide-y divide-line">
          {notes.map(({ text, who, at }) => (
            <li key={`${id} ${at} ${text}`} className="py-2 wrap-anywhere">
              {text}
              <span className="block muted">
                {who}, <Moment at={at} />
              </span>
            </li>
          ))}
        </ul>
      </Part>
    </div>
  )
}

/** Whether the box is on sale, and who took it off. */
function SaleState({ sale: { offSale, recalled } }: Pick<ExcursionDetail, 'sale'>) {
  if (recalled) return <p className="text-bad">The box is recalled: nothing of it is sold.</p>
  if (offSale === null) return <p>The box is on sale.</p>
  return (
    <p className="text-warn">
      The box is off sale
      {offSale.at && (
        <>
          , since <Moment at={offSale.at} />
        </>
      )}
      {offSale.by && ` by ${offSale.by}`}: {offSale.reason}
    </p>
  )
}

/** What became of a notice. */
function Delivery({ of }: { of: ExcursionDetail['notices'][number] }) {
  if (of.deliveredAt) return <Badge tone="good">delivered</Badge>
  if (of.cancelledAt) return <Badge>not sent, since it was no longer so</Badge>
  if (of.failedAt) return <Badge tone="bad">given up</Badge>
  return <Badge tone="warn">{of.attempts === 0 ? 'waiting' : `tried ${of.attempts} times`}</Badge>
}

/** Why an excursion is no longer one. */
function Withdrawn({ of: { withdrawnAt, mergedInto } }: { of: ExcursionDetail }) {
  if (withdrawnAt === null) return null
  return (
    <p>
      Withdrawn <Moment at={withdrawnAt} />: readings that came late, or a correction, show that{' '}
      {mergedInto === null ? (
        'there was no such excursion.'
      ) : (
        <>
          it is part of{' '}
          <Link to={excursionPath(mergedInto)} className="link">
            another one
          </Link>
          .
        </>
      )}
    </p>
  )
}
