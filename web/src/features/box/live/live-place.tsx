import type { BoxPageView } from '@befaqt/domain/api/box-api'
import { type ComponentProps, Suspense, useState } from 'react'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { usePageCheck } from '../check/page-check.tsx'

const load = () => import('./live-line.tsx')
const LiveLine = lazyPart<ComponentProps<Awaited<ReturnType<typeof load>>['default']>>(load)

type Props = { view: BoxPageView; onView: (view: BoxPageView) => void }

/** A sealed box whose records are all anchored can't change any more. */
const isFinished = ({ sealed, records }: BoxPageView): boolean =>
  sealed && records.every(({ state }) => state !== 'pending')

/** Where the page says that it follows its box. What does so is fetched after the first check of the page. */
export function LivePlace(props: Props) {
  const { shop } = usePageCheck()
  const [isStarted, setStarted] = useState(false)
  if (!isStarted && (shop.phase === 'done' || shop.phase === 'failed')) setStarted(true)
  const { view } = props
  if (isFinished(view)) return null
  return (
    <div className="no-print mt-3 min-h-10 text-slate text-sm sm:min-h-5 noscript:hidden">
      {isStarted && (
        <Suspense>
          <LiveLine {...props} />
        </Suspense>
      )}
    </div>
  )
}
