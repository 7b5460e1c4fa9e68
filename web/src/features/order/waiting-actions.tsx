import { checkPayment, startPayment } from '@befaqt/domain/api/endpoints/order-page'
import { cancelOrder, confirmOrder, sendConfirmation } from '@befaqt/domain/api/endpoints/orders'
import type { WaitingOrder } from '@befaqt/domain/api/waiting-order-api'
import { momentText } from '@befaqt/domain/moment-text'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { useRevalidatingCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useMarketZone } from '#web/time/time.tsx'
import { callInput } from './order-input.ts'
import { NotLeft, notLeft } from './waiting-not-left.tsx'

type Props = {
  waiting: WaitingOrder
  linkKey: string | null
  confirm: string | null
  onDropped?: () => void
}

/** What a waiting order waits for, and the buttons that bring it on. */
export default function WaitingActions({ waiting, linkKey, confirm, onDropped }: Props) {
  const zone = useMarketZone()
  const hydrated = useHydrated()
  const [params] = useSearchParams()
  const [sent, setSent] = useState(false)
  const [dropping, setDropping] = useState(false)
  const { busy, failure, run } = useRevalidatingCall()
  const input = callInput({ order: waiting, linkKey })
  const isByCard = waiting.payment === 'card'
  const isBack = isByCard && params.get('card') === 'paid'
  const check = useEffectEvent(() => void run(() => callApi(checkPayment, input)))
  useEffect(() => {
    if (isBack) check()
  }, [isBack])

  const take = (changes: object = {}) =>
    void run(() => callApi(confirmOrder, { ...input, body: { ...(confirm && { confirm }), ...changes } }))
  const sendAgain = () => void run(() => callApi(sendConfirmation, input)).then(setSent)
  const pay = () => void run(async () => location.assign((await callApi(startPayment, input)).url))
  const drop = () =>
    void run(() => callApi(cancelOrder, { ...input, body: {} })).then((isDone) => {
      setDropping(false)
      if (isDone) onDropped?.()
    })
  const short = notLeft(failure)
  const word = (text: string) => (busy ? 'One moment…' : text)
  return (
    <Alert tone="warn">
      <p className="font-semibold">
        {isByCard
          ? 'It waits for your card.'
          : confirm
            ? 'Please confirm it.'
            : 'It waits for a click in its email.'}
      </p>
      <p className="wrap-anywhere">
        A large first order is confirmed before anything is taken for it.{' '}
        {waitsFor(waiting, confirm !== null)} It waits until {momentText(waiting.until, zone)}; you get what
        is left when it is confirmed.
      </p>
      {short !== null && <NotLeft waiting={waiting} short={short} busy={busy} onTake={take} />}
      <div className="my-2 flex flex-wrap gap-3">
        {confirm && short === null && (
          <Button variant="primary" disabled={!hydrated} aria-busy={busy} onClick={() => take()}>
            {word('Confirm the order')}
          </Button>
        )}
        {isByCard && (
          <Button variant="primary" disabled={!hydrated} aria-busy={busy} onClick={pay}>
            {word('Pay by card')}
          </Button>
        )}
        {!confirm && (
          <Button variant="outline" disabled={!hydrated} aria-busy={busy} onClick={sendAgain}>
            {isByCard ? 'Confirm by email instead' : 'Send the email again'}
          </Button>
        )}
        <Button variant="outline" disabled={!hydrated} onClick={() => setDropping(true)}>
          Drop the order
        </Button>
      </div>
      <p role="status">{sent && !busy && 'The email is on its way. It may take a few minutes.'}</p>
      {failure !== null && short === null && (
        <p role="alert" className="font-semibold text-bad">
          Error: {userMessage(failure)}
        </p>
      )}
      <Dialog open={dropping} title="Drop this order?" onClose={() => setDropping(false)}>
        <p className="mb-4 text-ink">Nothing was taken for it, and nothing is charged.</p>
        <div className="flex flex-wrap gap-3">
          <Button aria-busy={busy} onClick={drop}>
            {word('Drop it')}
          </Button>
          <Button variant="outline" onClick={() => setDropping(false)}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </Alert>
  )
}

function waitsFor({ payment, contact }: WaitingOrder, isOpened: boolean): string {
  if (payment === 'card') return 'An accepted card confirms it.'
  if (isOpened) return 'The button below confirms it.'
  return `We sent an email${contact ? ` to ${contact.email}` : ''}: open the link in it, and confirm the order there.`
}
