import { Suspense } from 'react'
import { useHydrated } from '#web/components/hydration.tsx'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { ErrorHead } from '#web/head/page-head.tsx'
import { BoxSearch } from './box-search.tsx'

const AbsenceCheck = lazyPart(() => import('../check/absence-check.tsx'))

/** A box that does not exist, and how to find the one that was meant. Title: spec §8. */
export default function BoxNotFound({ asked }: { asked: string }) {
  const isHydrated = useHydrated()
  return (
    <div className="wrap py-16">
      <ErrorHead title="404: Page not found" />
      <h1 className="page-title">404: Page not found</h1>
      <p className="mt-4 mb-8 max-w-prose text-lg text-slate">
        There is no box <b className="break-all font-semibold text-ink">{asked}</b>. The number is printed
        under the code on the box.
      </p>
      {isHydrated && (
        <Suspense>
          <AbsenceCheck boxID={asked} />
        </Suspense>
      )}
      <BoxSearch typed={asked} />
    </div>
  )
}
