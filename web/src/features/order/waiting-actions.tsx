import {
  cancelOrder,
  checkPayment,
  confirmOrder,
  sendConfirmation,
  startPayment,
} from '@befaqt/domain/api/endpoints/order-page'
import type { SlotView } from '@befaqt/domain/api/order-api'
import type { WaitingOrder } from '@befaqt/domain/api/waiting-order-api'
import { ShopError } from '@befaqt/domain/errors'
import { unitsText } from '@befaqt/domain/labelling'
import { momentText, slotText } from '@befaqt/domain/moment-text'
import { preparedTitle } from '@befaqt/domain/preparation'
import type { PreparedKind } from '@befaqt/domain/statuses'
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
import { callInput } from './order-calls.ts'

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

type ShortLine = { product_id: string; preparation?: PreparedKind; wanted: number; left: number }

/** Why a waiting order could not be taken as it is. */
type NotLeftOf =
  | { why: 'stock'; lines: readonly ShortLine[] }
  | { why: 'slot'; message: string; slots: readonly SlotView[] }

const listOf = <Item,>(value: unknown): Item[] => (Array.isArray(value) ? value : [])

/** What the shop's answer says is left; null: it says something else. */
function notLeft(error: unknown): NotLeftOf | null {
  if (!(error instanceof ShopError)) return null
  const { code, details, message } = error
  if (code === 'stock.insufficient') return { why: 'stock', lines: listOf<ShortLine>(details.lines) }
  if (code === 'slot.unavailable') return { why: 'slot', message, slots: listOf<SlotView>(details.slots) }
  return null
}

type NotLeftProps = {
  waiting: WaitingOrder
  short: NotLeftOf
  busy: boolean
  onTake: (changes: { lines?: ShortLineTaken[]; slot?: string }) => void
}
type ShortLineTaken = { product_id: string; quantity: number; preparation?: PreparedKind }

/** What is left of the order, line by line, or other times, and the button that takes that instead. */
function NotLeft({ waiting, short, busy, onTake }: NotLeftProps) {
  const [lines, setLines] = useState<ShortLineTaken[] | undefined>(undefined)
  const [slot, setSlot] = useState<string | undefined>(undefined)
  const wanted =
    lines ??
    waiting.lines.map(({ product_id, quantity, preparation }) => ({
      product_id,
      quantity,
      ...(preparation && { preparation: preparation.kind }),
    }))
  const take = (taken: ShortLineTaken[] | undefined, at: string | undefined) => {
    setLines(taken)
    setSlot(at)
    onTake({ ...(taken && { lines: taken }), ...(at && { slot: at }) })
  }
  if (short.why === 'slot')
    return (
      <div role="alert" className="my-3 grid justify-items-start gap-2 text-ink">
        <p className="font-semibold">{short.message} Nothing was taken yet.</p>
        {short.slots.length === 0 && <p>No other time is open at the moment. Try again later.</p>}
        {short.slots.map((other) => (
          <Button key={other._id} variant="outline" aria-busy={busy} onClick={() => take(lines, other._id)}>
            Take it {slotText(other)}
          </Button>
        ))}
      </div>
    )
  const taken = wanted.flatMap((line) => {
    const isLine = (one: ShortLine) =>
      one.product_id === line.product_id && one.preparation === line.preparation
    const left = short.lines.find(isLine)?.left ?? line.quantity
    return left > 0 ? [{ ...line, quantity: Math.min(left, line.quantity) }] : []
  })
  return (
    <div role="alert" className="my-3 grid justify-items-start gap-2 text-ink">
      <p className="font-semibold">Not all of it is left. Nothing was taken yet.</p>
      <ul>
        {short.lines.map(({ product_id, preparation, left }) => {
          const line = waiting.lines.find(
            (one) => one.product_id === product_id && one.preparation?.kind === preparation,
          )
          return (
            <li key={`${product_id} ${preparation}`} className="wrap-anywhere">
              {preparedTitle(line?.title ?? '', preparation)}:{' '}
              {left > 0
                ? `${unitsText(left, line?.unit ?? '')} left`
                : 'nothing left, or not on sale just now'}
              .
            </li>
          )
        })}
      </ul>
      {taken.length > 0 && (
        <Button variant="primary" aria-busy={busy} onClick={() => take(taken, slot)}>
          {busy ? 'One moment…' : 'Take what is left'}
        </Button>
      )}
    </div>
  )
}
