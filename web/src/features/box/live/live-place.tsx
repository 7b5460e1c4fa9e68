import type { BoxPageView } from '@befaqt/domain/api/box-api'
import { type ComponentProps, Suspense, useEffect, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { usePageCheck } from '../check/page-check.tsx'

const load = () => import('./live-line.tsx')
const LiveLine = lazyPart<ComponentProps<Awaited<ReturnType<typeof load>>['default']>>(load)

type Props = { view: BoxPageView; onView: (view: BoxPageView) => void }

/** A box that nothing is expected of any more: it is sealed, and all its records are anchored. */
const isFinished = ({ sealed, records }: BoxPageView): boolean =>
  sealed && records.every(({ state }) => state !== 'pending')

/** How often a page that is behind its records asks for itself again. */
const RELOADS = 2

/**
 * Loads a page again that nothing follows when its check finds more records than it shows, such as a correction. One that
 * follows its box reads them as news, and says so; loaded here, they would be shown and not said.
 */
function useReload(isFollowed: boolean): void {
  const { shop } = usePageCheck()
  const { revalidate } = useRevalidator()
  const reloads = useRef(0)
  const isBehind = shop.phase === 'done' && shop.page?.kind === 'older'
  useEffect(() => {
    if (isFollowed || !isBehind || reloads.current >= RELOADS) return
    reloads.current += 1
    void revalidate()
  }, [isFollowed, isBehind, revalidate])
}

/** Where the page says that it follows its box. What does so is fetched after the first check of the page. */
export function LivePlace(props: Props) {
  const { shop } = usePageCheck()
  const [isStarted, setStarted] = useState(false)
  if (!isStarted && (shop.phase === 'done' || shop.phase === 'failed')) setStarted(true)
  const isFollowed = !isFinished(props.view)
  useReload(isFollowed)
  if (!isFollowed) return null
  return (
    <div className="no-print mt-3 min-h-10 muted sm:min-h-5 noscript:hidden">
      {isStarted && (
        <Suspense>
          <LiveLine {...props} />
        </Suspense>
      )}
    </div>
  )
}
