import { type ComponentProps, Suspense, useState } from 'react'
import { lazyPart } from '#web/components/lazy-part.tsx'
import type Part from './coupon-part.tsx'

/** Most orders have none. */
const CouponPart = lazyPart(() => import('./coupon-part.tsx'))

/** The field of a coupon, which is fetched when somebody opens it, or typed a code before. */
export function CouponDetails(props: ComponentProps<typeof Part>) {
  const [isAsked, setIsAsked] = useState(Boolean(props.typed))
  return (
    <details open={isAsked} onToggle={({ currentTarget }) => setIsAsked(currentTarget.open)} className="mt-2">
      <summary className="link tap">Coupon</summary>
      {(isAsked || props.applied) && (
        <Suspense fallback={<p role="status">One moment…</p>}>
          <CouponPart {...props} />
        </Suspense>
      )}
    </details>
  )
}
