import type { CheckedCoupon } from '@befaqt/domain/api/coupon-api'
import { checkCoupon } from '@befaqt/domain/api/endpoints/coupons'
import type { Cart } from '@befaqt/domain/cart'
import { ShopError } from '@befaqt/domain/errors'
import { MAX_COUPON_CODE } from '@befaqt/domain/limits'
import { cents, formatDollars } from '@befaqt/domain/money'
import { useEffect, useRef, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { orderedLines } from './hold.tsx'

/** A coupon with what it takes off these lines; of other lines it has to be asked again. */
export type AppliedCode = { lines: Cart; checked: CheckedCoupon }

type Props = {
  lines: Cart
  account: boolean
  /** What was typed before a reload. */
  typed: string | undefined
  applied: AppliedCode | null
  disabled: boolean
  /** Why the order was refused because of it. */
  refused: string | undefined
  onApplied: (applied: AppliedCode | null) => void
}

const messageOf = (error: unknown): string =>
  (error instanceof ShopError && error.fields[0]?.message) || userMessage(error)

/** One code, with what it takes off, or why nothing. Nothing is used before the order is placed. */
export default function CouponPart({ lines, account, typed, applied, disabled, refused, onApplied }: Props) {
  const [error, setError] = useState('')
  const [busy, setBusy] = useState(false)
  const turn = useRef(0)
  const input = useRef<HTMLInputElement>(null)

  const ask = async (code: string) => {
    turn.current += 1
    const asked = turn.current
    setBusy(true)
    setError('')
    const body = { code, lines: orderedLines(lines), ...(account && { account }) }
    const found = await callApi(checkCoupon, { body }).catch((cause: unknown) => cause)
    if (asked !== turn.current) return
    setBusy(false)
    const isRefused = found instanceof Error
    onApplied(isRefused ? null : { lines, checked: found as CheckedCoupon })
    setError(isRefused ? messageOf(found) : '')
  }
  const latest = useRef(ask)
  latest.current = ask
  const code = applied?.checked.code
  const isStale = applied !== null && applied.lines !== lines
  useEffect(() => {
    if (isStale && code !== undefined) void latest.current(code)
  }, [isStale, code])
  const begun = useRef(false)
  useEffect(() => {
    if (!begun.current && typed && code === undefined) void latest.current(typed)
    begun.current = true
  }, [typed, code])

  const apply = () => {
    const code = input.current?.value.trim() ?? ''
    if (code !== '' && !busy) void ask(code)
  }
  const remove = () => {
    turn.current += 1
    if (input.current) input.current.value = ''
    setBusy(false)
    setError('')
    onApplied(null)
    input.current?.focus()
  }
  const wrong = error || refused
  return (
    <div className="grid gap-3 pb-2">
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-40 flex-1">
          <InputField
            ref={input}
            label="Coupon code"
            name="coupon"
            autoComplete="off"
            autoCapitalize="characters"
            maxLength={MAX_COUPON_CODE}
            defaultValue={typed}
            readOnly={applied !== null || disabled}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault() // the order is not meant yet
              apply()
            }}
          />
        </div>
        {applied ? (
          <Button variant="outline" disabled={disabled} onClick={remove}>
            Remove
          </Button>
        ) : (
          <Button variant="outline" disabled={disabled} aria-busy={busy} onClick={apply}>
            {busy ? 'One moment…' : 'Apply'}
          </Button>
        )}
      </div>
      <p role="status" className={wrong ? 'font-semibold text-bad text-sm' : 'text-good text-sm'}>
        {wrong ||
          (applied && `${applied.checked.code} takes ${formatDollars(cents(applied.checked.off))} off.`)}
      </p>
    </div>
  )
}
