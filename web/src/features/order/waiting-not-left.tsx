import type { SlotView } from '@befaqt/domain/api/order-api'
import type { WaitingOrder } from '@befaqt/domain/api/waiting-order-api'
import { ShopError } from '@befaqt/domain/errors'
import { unitsText } from '@befaqt/domain/labelling'
import { slotText } from '@befaqt/domain/moment-text'
import { useState } from 'react'
import { Button } from '#web/components/button.tsx'

type ShortLine = { product_id: string; wanted: number; left: number }

/** Why a waiting order could not be taken as it is. */
export type NotLeftOf =
  | { why: 'stock'; lines: readonly ShortLine[] }
  | { why: 'slot'; message: string; slots: readonly SlotView[] }

const listOf = <Item,>(value: unknown): Item[] => (Array.isArray(value) ? value : [])

/** What the shop's answer says is left; null: it says something else. */
export function notLeft(error: unknown): NotLeftOf | null {
  if (!(error instanceof ShopError)) return null
  const { code, details, message } = error
  if (code === 'stock.insufficient') return { why: 'stock', lines: listOf<ShortLine>(details.lines) }
  if (code === 'slot.unavailable') return { why: 'slot', message, slots: listOf<SlotView>(details.slots) }
  return null
}

type Props = {
  waiting: WaitingOrder
  short: NotLeftOf
  busy: boolean
  onTake: (changes: { lines?: ShortLineTaken[]; slot?: string }) => void
}
type ShortLineTaken = { product_id: string; quantity: number }

/** What is left of the order, line by line, or other times, and the button that takes that instead. */
export function NotLeft({ waiting, short, busy, onTake }: Props) {
  const [lines, setLines] = useState<ShortLineTaken[] | undefined>(undefined)
  const [slot, setSlot] = useState<string | undefined>(undefined)
  const wanted = lines ?? waiting.lines.map(({ product_id, quantity }) => ({ product_id, quantity }))
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
    const left = short.lines.find(({ product_id }) => product_id === line.product_id)?.left ?? line.quantity
    return left > 0 ? [{ ...line, quantity: Math.min(left, line.quantity) }] : []
  })
  return (
    <div role="alert" className="my-3 grid justify-items-start gap-2 text-ink">
      <p className="font-semibold">Not all of it is left. Nothing was taken yet.</p>
      <ul>
        {short.lines.map(({ product_id, left }) => {
          const line = waiting.lines.find((one) => one.product_id === product_id)
          return (
            <li key={product_id} className="wrap-anywhere">
              {line?.title}:{' '}
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
