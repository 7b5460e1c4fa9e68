import { urlOf } from '@befaqt/domain/api/endpoint'
import {
  exportRecall,
  readRecall,
  recallBox,
  resendRecall,
  withdrawRecall,
} from '@befaqt/domain/api/endpoints/excursions'
import type { RecallView } from '@befaqt/domain/api/recall-api'
import { notReached } from '@befaqt/domain/box-history'
import { MAX_REASON } from '@befaqt/domain/limits'
import { useCallback, useEffect, useRef, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button, buttonClass } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { Moment } from '#web/time/time.tsx'
import { FailureBanner } from '../../form-parts.tsx'
import { RecallOrders, UndecidedOrders } from './recall-orders.tsx'

type Props = { boxID: string; onChanged: (message: string) => void }

/** How often it is looked whether emails went out, while some wait. */
const POLL_MS = 5_000

/**
 * The recall of a box as the shop has it: read, changed by one call after the other, and read again while emails wait.
 */
function useRecall(boxID: string) {
  const [view, setView] = useState<RecallView | null>(null)
  const [unread, setUnread] = useState<unknown>(null)
  const turn = useRef(0)
  /** What was asked for last is shown, whichever answer comes last. */
  const show = useCallback(async (answer: Promise<RecallView>): Promise<void> => {
    turn.current += 1
    const mine = turn.current
    const found = await answer
    if (mine === turn.current) setView(found)
  }, [])
  const read = useCallback(() => {
    void show(callApi(readRecall, { params: { boxID } })).then(() => setUnread(null), setUnread)
  }, [show, boxID])
  const { busy, failure, run } = useCall()
  const isWaiting = view?.orders.some(({ notice }) => notice === 'waiting') ?? false
  useEffect(read, [read])
  useEffect(() => {
    if (!isWaiting || busy) return
    const timer = setInterval(read, POLL_MS)
    return () => clearInterval(timer)
  }, [isWaiting, busy, read])
  const change = (call: () => Promise<RecallView>) => run(() => show(call()))
  return { view, failure: failure ?? unread, busy, change, read }
}

/** Who bought from a box, and the recall that notifies them. */
export function RecallSection({ boxID, onChanged }: Props) {
  const { view, failure, busy, change, read } = useRecall(boxID)
  const [asking, setAsking] = useState(false)
  const [copiesLate, setCopiesLate] = useState(false)
  const hydrated = useHydrated()
  const send = async (reason: string) => {
    const isWithdrawn = view?.recall != null
    const endpoint = isWithdrawn ? withdrawRecall : recallBox
    let isLate: boolean | undefined
    const call = async (): Promise<RecallView> => {
      const answer = await callApi(endpoint, { params: { boxID }, body: { reason } })
      isLate = answer.copiesLate
      return answer
    }
    if (!(await change(call))) return
    setAsking(false)
    setCopiesLate(isLate === true)
    onChanged(isWithdrawn ? 'The recall is withdrawn.' : 'The box is recalled.')
  }
  if (view === null)
    return failure === null ? (
      <Spinner label="Loading the orders" />
    ) : (
      <>
        <FailureBanner error={failure} />
        <Button variant="outline" onClick={read}>
          Try again
        </Button>
      </>
    )
  const { recall, orders, toDecide } = view
  const unreached = orders.filter(({ notice }) => notReached.includes(notice))
  const canResend = recall !== null && unreached.some(({ contact }) => contact !== null)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {failure !== null && !asking && <FailureBanner error={failure} />}
      {recall && (
        <Standing {...{ recall, copiesLate }} told={orders.length - unreached.length} of={orders.length} />
      )}
      {orders.length === 0 ? (
        <p className="text-slate">No order was packed from this box.</p>
      ) : (
        <RecallOrders orders={orders} recalled={recall !== null} />
      )}
      {recall && <UndecidedOrders orders={toDecide} />}
      <div className="no-print flex flex-wrap gap-3">
        {canResend && (
          <Button
            disabled={!hydrated}
            aria-busy={busy}
            onClick={() => void change(() => callApi(resendRecall, { params: { boxID } }))}
          >
            Email again those who were not reached
          </Button>
        )}
        <Button variant="outline" disabled={!hydrated} aria-busy={busy} onClick={() => setAsking(true)}>
          {recall === null ? 'Recall this box' : 'Withdraw the recall'}
        </Button>
        {orders.length > 0 && (
          <>
            <a href={urlOf(exportRecall, { params: { boxID } })} className={buttonClass('outline')} download>
              Contacts as CSV
            </a>
            <Button variant="outline" disabled={!hydrated} onClick={() => window.print()}>
              Print
            </Button>
          </>
        )}
      </div>
      <Dialog
        open={asking}
        title={recall === null ? `Recall ${boxID}?` : `Withdraw the recall of ${boxID}?`}
        onClose={() => setAsking(false)}
      >
        <ReasonForm
          view={view}
          busy={busy}
          failure={failure}
          onSend={(reason) => void send(reason)}
          onCancel={() => setAsking(false)}
        />
      </Dialog>
    </div>
  )
}

type StandingProps = {
  recall: NonNullable<RecallView['recall']>
  told: number
  of: number
  /** The caching proxy in front of the shop did not answer. */
  copiesLate: boolean
}

function Standing({ recall: { reason, at, by }, told, of, copiesLate }: StandingProps) {
  return (
    <Alert tone="bad">
      <p>
        <b className="font-semibold">This box is recalled</b> since <Moment at={at} />
        {by && ` by ${by}`}. Nothing can be packed from it. Why: {reason}
      </p>
      {of > 0 && (
        <p>
          {told === of
            ? 'Every buyer was sent an email, or one is on its way.'
            : `${of - told} of ${of} buyers were not reached: call them.`}
        </p>
      )}
      {copiesLate && (
        <p>
          Copies of its pages outside the shop could not be cleared: they may be shown for some minutes. The
          shop tries again.
        </p>
      )}
    </Alert>
  )
}

type FormProps = {
  view: RecallView
  busy: boolean
  failure: unknown
  onSend: (reason: string) => void
  onCancel: () => void
}

function ReasonForm({ view: { recall, orders, toDecide }, busy, failure, onSend, onCancel }: FormProps) {
  const [error, setError] = useState<string | undefined>(undefined)
  const reachable = orders.filter(({ contact }) => contact !== null).length
  const emails = reachable === 1 ? '1 email' : `${reachable} emails`
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        const reason = String(new FormData(event.currentTarget).get('reason') ?? '').trim()
        setError(reason === '' ? 'reason is required' : undefined)
        if (reason !== '') onSend(reason)
      }}
    >
      {failure !== null && <FailureBanner error={failure} />}
      <p>
        {recall === null
          ? `The public page says that it is recalled, nothing can be packed from it, its sale stops at once, and ${emails} will be sent now.`
          : 'The public page no longer shows the recall, and everyone who was notified of it is notified of this.'}
      </p>
      {recall === null && <UndecidedOrders orders={toDecide} />}
      <InputField
        label="Reason"
        name="reason"
        maxLength={MAX_REASON}
        error={error}
        hint="Visible to everyone in the history of the box, for good: no names."
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" aria-busy={busy}>
          {busy ? 'One moment…' : recall === null ? `Recall and send ${emails}` : 'Withdraw it'}
        </Button>
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
