import { type Cart, type CartLine, lineKey } from '@befaqt/domain/cart'
import { setQuantity } from '@befaqt/domain/change-cart'
import { unitsText } from '@befaqt/domain/labelling'
import { formatDollars } from '@befaqt/domain/money'
import { preparedTitle } from '@befaqt/domain/preparation'
import type { ReactNode } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { LogInBeside } from '#web/features/account/log-in-again.tsx'
import { cart } from '#web/features/cart/cart-store.ts'
import type { Rejection, ShortLine } from './rejection.ts'

const Notice = ({ title, children }: { title: string; children: ReactNode }) => (
  <Alert tone="bad" className="mt-5">
    <p className="font-semibold">{title}</p>
    {children}
  </Alert>
)

/** Lines that fall short by what is in the cart now: one that was corrected is no longer shown. */
const stillShort = (short: readonly ShortLine[], now: Cart): { short: ShortLine; line: CartLine }[] =>
  short.flatMap((short) => {
    const line = now.find(
      ({ _id, preparation }) => _id === short.product_id && preparation === short.preparation,
    )
    return line && line.quantity > short.left ? [{ short, line }] : []
  })

/** How much of it this shopper may have, and why not all. */
function shortText(
  { left, together, why }: ShortLine,
  { preparation, unit, quantity, ...line }: CartLine,
): string {
  const title = preparedTitle(line.title, preparation)
  const some = unitsText(left, unit)
  if (why === 'line' && together !== undefined)
    return `${title}: one order takes at most ${unitsText(together, unit)} of it in all, however it is prepared.`
  if (why === 'line') return `${title}: one order takes at most ${some}.`
  if (why === 'step')
    return `${title}: ${unitsText(quantity, unit)} is not on sale any more. It is sold in other steps now.`
  if (why === 'network')
    return `${title}: ${left > 0 ? `${some} is` : 'nothing is'} left for you just now. Open checkouts and unconfirmed orders of your network have their share, and the rest is kept for others. Checkouts end within a quarter of an hour; an order counts no more once somebody clicks in its email.`
  if (together !== undefined && together > left)
    return `${title}: ${unitsText(quantity, unit)} ordered, ${left > 0 ? some : 'nothing'} left beside what else you have of it.`
  return left > 0
    ? `${title}: ${unitsText(quantity, unit)} ordered, ${some} left.`
    : `${title}: sold out, or not on sale just now.`
}

function Short({ lines, now }: { lines: readonly ShortLine[]; now: Cart }) {
  const short = stillShort(lines, now)
  if (short.length === 0) return null
  const isStep = short.every(({ short }) => short.why === 'step')
  const isLess = short.every(({ short }) => short.why !== undefined)
  return (
    <Notice
      title={
        isStep
          ? 'It is sold in other steps now. Nothing was ordered.'
          : isLess
            ? 'It is more than one order may take. Nothing was ordered.'
            : 'Not all of it is there any more. Nothing was ordered.'
      }
    >
      <ul className="mt-2 grid gap-3">
        {short.map(({ short, line }) => {
          const { left } = short
          const key = lineKey(line)
          return (
            <li key={key} className="grid justify-items-start gap-2 text-ink wrap-anywhere">
              {shortText(short, line)}
              <Button variant="outline" onClick={() => cart.change((now) => setQuantity(now, key, left))}>
                {left > 0
                  ? `Take ${unitsText(left, line.unit)}`
                  : `Remove ${preparedTitle(line.title, line.preparation)}`}
              </Button>
            </li>
          )
        })}
      </ul>
    </Notice>
  )
}

type Props = { rejection: Rejection; lines: Cart; onGuest: () => void }

/**
 * Why nothing was ordered, and what to do about it. A slot that is no longer available is reported beside the slots.
 */
export function RejectionNotice({ rejection, lines, onGuest }: Props) {
  switch (rejection.why) {
    case 'stock':
      return <Short lines={rejection.lines} now={lines} />
    case 'price':
      if (rejection.total === null)
        return (
          <Notice title="Something is sold by another unit now. Nothing was ordered.">
            <p>Please look at how much of it you want. Place your order again if you agree.</p>
          </Notice>
        )
      return (
        <Notice title="A price changed. Nothing was ordered.">
          <p>
            The total is {formatDollars(rejection.total)} now
            {rejection.fee !== null && `, with ${formatDollars(rejection.fee)} for delivery`}. Place your
            order again if you agree.
          </p>
        </Notice>
      )
    case 'logged-out':
      return (
        <Notice title="Your session has ended. Nothing was ordered.">
          <LogInBeside then="place your order again" />
          <Button variant="outline" className="mt-2" onClick={onGuest}>
            Order as a guest instead
          </Button>
        </Notice>
      )
    case 'refused':
      return <Notice title="Nothing was ordered.">{rejection.message}</Notice>
    default:
      return null
  }
}

type UnknownProps = {
  rejection: Rejection | null
  busy: boolean
  onAgain: () => void
  onGiveUp: () => void
}

const FOR_SURE = 'Check whether an email with your order has arrived before you order again.'

/** It is not known whether the order was placed: only the same request may be sent again, until the shop has said. */
export function UnknownNotice({ rejection, busy, onAgain, onGiveUp }: UnknownProps) {
  const message = rejection && 'message' in rejection ? rejection.message : null
  const answered = rejection?.why === 'unknown' ? rejection.answered : rejection !== null
  return (
    <Alert tone="bad" className="mt-5">
      <p className="font-semibold">We don’t know yet whether your order got through.</p>
      {message && <p>{message}</p>}
      {rejection?.why === 'logged-out' ? (
        <LogInBeside then="try again" />
      ) : (
        <p>
          {rejection?.why === 'differs'
            ? FOR_SURE
            : 'What you typed is kept, also when you reload. Trying again is safe: it is ordered once.'}
        </p>
      )}
      <div className="my-2 flex flex-wrap gap-3">
        <Button variant="primary" aria-disabled={busy} onClick={onAgain}>
          {busy ? 'Trying…' : 'Try again'}
        </Button>
        {answered && (
          <Button variant="outline" onClick={onGiveUp}>
            Change the order
          </Button>
        )}
      </div>
      {answered && rejection?.why !== 'differs' && <p className="text-sm">{FOR_SURE}</p>}
    </Alert>
  )
}
