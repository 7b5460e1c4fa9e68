import { addExcursionNote, closeExcursion, takeOffSale } from '@befaqt/domain/api/endpoints/excursions'
import type { ExcursionDetail } from '@befaqt/domain/api/excursion-api'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { TextAreaField } from '#web/components/field.tsx'
import { useDraft } from '#web/forms/use-draft.ts'
import { Time } from '#web/time/time.tsx'
import { managedBoxPath } from '../box/box-row.tsx'
import { FailureBanner, StatusMessage } from '../form-parts.tsx'
import { Confirm } from '../list/confirm.tsx'
import { ManageLayout } from '../manage-layout.tsx'
import type { Read } from '../read.ts'
import { ReadResult } from '../read-result.tsx'
import { useAction } from '../use-action.ts'
import { ExcursionChart } from './excursion-chart.tsx'
import { ExcursionMark, Grade } from './excursion-screen.tsx'

/** One excursion: what was measured, what is on sale and was sold, and what was done about it. */
export function ExcursionDetailScreen({ found }: { found: Read<ExcursionDetail> }) {
  return (
    <ManageLayout title="Excursion" help={false}>
      <ReadResult found={found}>{(excursion) => <Detail key={excursion.id} of={excursion} />}</ReadResult>
    </ManageLayout>
  )
}

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
        <Link
          to={managedBoxPath(boxID)}
          className="link inline-flex min-h-11 items-center font-semibold text-xl"
        >
          Box {boxID}
        </Link>
        {species} <ExcursionMark row={of} /> <Grade grade={of.grade} />
      </div>
      <p>
        {text} Since <Time at={since} />
        {endedAt ? (
          <>
            , ended by itself <Time at={endedAt} />
          </>
        ) : (
          ', and going on'
        )}
        {peakAt && (
          <>
            ; highest <Time at={peakAt} />
          </>
        )}
        .
      </p>
      <Withdrawn of={of} />
      <ExcursionChart of={of} />
      <Actions of={of} />
      <div className="grid gap-4 lg:grid-cols-3">
        <Part title="From this box">
          {products.length === 0 && <p className="text-slate">No product is linked to it.</p>}
          <ul>
            {products.map(({ _id, title, status }) => (
              <li key={_id} className="flex min-h-11 flex-wrap items-center justify-between gap-2">
                {title}{' '}
                <Badge tone={status === 'ACTIVE' ? 'warn' : 'plain'}>
                  {status === 'ACTIVE' ? 'on sale' : 'off sale'}
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
                <Link to={`/manage/order/${_id}`} className="link">
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
              <li key={`${notice.event} ${notice.address}`} className="wrap-anywhere">
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
              <span className="block text-slate text-sm">
                {who}, <Time at={at} />
              </span>
            </li>
          ))}
        </ul>
      </Part>
    </div>
  )
}

/** What became of a notice. */
function Delivery({ of }: { of: ExcursionDetail['notices'][number] }) {
  if (of.deliveredAt) return <Badge tone="good">delivered</Badge>
  if (of.cancelledAt) return <Badge>not sent, since it was no longer so</Badge>
  if (of.failedAt) return <Badge tone="bad">given up</Badge>
  return <Badge tone="warn">{of.attempts === 0 ? 'waiting' : `tried ${of.attempts} times`}</Badge>
}

/** Why an excursion is one no more. */
function Withdrawn({ of: { withdrawnAt, mergedInto } }: { of: ExcursionDetail }) {
  if (withdrawnAt === null) return null
  return (
    <p>
      Withdrawn <Time at={withdrawnAt} />: readings that came late, or a correction, show that{' '}
      {mergedInto === null ? (
        'there was no such excursion.'
      ) : (
        <>
          it is part of{' '}
          <Link to={`/manage/excursion/${mergedInto}`} className="link">
            another one
          </Link>
          .
        </>
      )}
    </p>
  )
}

function Actions({ of: { id, closedAt, withdrawnAt, closeReason, products } }: { of: ExcursionDetail }) {
  const { draft: text, change, discard } = useDraft('note', () => '')
  const typed = useRef(text)
  useEffect(() => {
    typed.current = text
  })
  const [asking, setAsking] = useState(false)
  const { failure, message, run, done, dismiss, ready } = useAction()
  const params = { id }
  const isDone = closedAt !== null || withdrawnAt !== null
  const onSale = products.filter(({ status }) => status === 'ACTIVE').length
  const send = async (what: 'note' | 'close') => {
    const isSent = await run(async () => {
      await callApi(what === 'note' ? addExcursionNote : closeExcursion, { params, body: { text } })
      return what === 'note' ? 'Noted.' : 'Closed.'
    })
    if (isSent && typed.current === text) discard() // what was typed meanwhile stays
  }
  const withdraw = async () => {
    const { taken } = await callApi(takeOffSale, { params })
    setAsking(false)
    done(`${taken} taken off sale.`)
  }
  return (
    <div className="grid max-w-2xl gap-3">
      {failure !== null && <FailureBanner error={failure} onDismiss={dismiss} />}
      <StatusMessage message={message} className="empty:hidden" />
      {closedAt && (
        <p>
          Closed <Time at={closedAt} />: {closeReason}
        </p>
      )}
      <TextAreaField
        label={isDone ? 'Note' : 'Note, or reason for closing'}
        rows={3}
        maxLength={500}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <div className="flex flex-wrap gap-3">
        <Button disabled={!ready || text.trim() === ''} onClick={() => void send('note')}>
          Add note
        </Button>
        {!isDone && (
          <Button
            variant="outline"
            disabled={!ready || text.trim() === ''}
            onClick={() => void send('close')}
          >
            Close with this reason
          </Button>
        )}
        {onSale > 0 && (
          <Button variant="primary" disabled={!ready} onClick={() => setAsking(true)}>
            Take off sale
          </Button>
        )}
      </div>
      <Dialog open={asking} title="Take off sale?" onClose={() => setAsking(false)}>
        <Confirm action="Take off sale" onConfirm={withdraw} onClose={() => setAsking(false)}>
          <p>
            {onSale === 1 ? 'One product' : `${onSale} products`} from this box can’t be bought any more,
            until they are set to ACTIVE again.
          </p>
        </Confirm>
      </Dialog>
    </div>
  )
}
