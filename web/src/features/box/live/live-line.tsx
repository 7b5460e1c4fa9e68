import type { BoxPageView } from '@befaqt/domain/api/box-api'
import { readBoxPage, readBoxPageNews } from '@befaqt/domain/api/endpoints/boxes'
import { withPageNews } from '@befaqt/domain/box-page-news'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { formatTime, useMarketZone } from '#web/time/time.tsx'
import { usePageCheck } from '../check/page-check.tsx'
import { followBox, type LiveState } from './follow-box.ts'
import { newsText, shownEvent } from './news-text.ts'

/** News that come together are shown together, and not by all visitors in the same moment. */
const WAIT_MS = 300
const WAIT_SPREAD_MS = 1_200

type Props = {
  view: BoxPageView
  /** Shows a newer page of the same box. */
  onView: (view: BoxPageView) => void
}

/** A newer page of a box: the shown one with what came since, or the whole. */
async function readNewer(shown: BoxPageView, isWhole: boolean): Promise<BoxPageView> {
  const params = { boxID: shown.box.boxID }
  const whole = () => callApi(readBoxPage, { params })
  if (isWhole) return whole()
  const query = { after: shownEvent(shown) }
  const grown = callApi(readBoxPageNews, { params, query }).then((news) => withPageNews(shown, news))
  return (await grown.catch(() => undefined)) ?? whole()
}

/** Keeps the page of a box up to date, and says whether it does. A page whose check is running is left to it. */
export default function LiveLine({ view, onView }: Props) {
  const zone = useMarketZone()
  const { shop } = usePageCheck()
  const [state, setState] = useState<LiveState>('connecting')
  const [wanted, setWanted] = useState<'news' | 'whole' | null>(null)
  const [news, setNews] = useState('')
  const [since, setSince] = useState(() => Date.now())
  const shown = useRef(view)
  shown.current = view
  const { boxID } = view.box
  useEffect(
    () =>
      followBox(boxID, {
        shown: () => shownEvent(shown.current),
        onState: (next) => {
          setState(next)
          if (next === 'live') setSince(Date.now())
        },
        onNews: () => setWanted((now) => now ?? 'news'),
      }),
    [boxID],
  )
  /** The page that news made, and the one that it was before. */
  const grown = useRef<{ view: BoxPageView; before: BoxPageView }>(null)
  const isDoubtful = grown.current?.view === view && shop.phase === 'done' && shop.page?.kind === 'differs'
  useEffect(() => {
    if (isDoubtful) setWanted('whole')
  }, [isDoubtful])
  const isChecking = shop.phase === 'waiting' || shop.phase === 'checking'
  useEffect(() => {
    if (wanted === null || isChecking) return
    let isGone = false
    const timer = window.setTimeout(
      async () => {
        const newer = await readNewer(shown.current, wanted === 'whole').catch(() => undefined)
        if (isGone) return
        setWanted(null)
        if (newer === undefined) return setState('lost')
        setSince(Date.now())
        const isWhole = wanted === 'whole'
        const before = (isWhole && grown.current?.before) || shown.current
        grown.current = isWhole ? null : { view: newer, before }
        setNews((last) => newsText(before, newer, zone) || (isWhole ? '' : last))
        onView(newer)
      },
      WAIT_MS + Math.random() * WAIT_SPREAD_MS,
    )
    return () => {
      isGone = true
      window.clearTimeout(timer)
    }
  }, [wanted, isChecking, zone, onView])
  const at = formatTime(new Date(since).toISOString(), zone)
  return (
    <>
      <StateText state={state} at={at} />{' '}
      <span role="status" className="font-semibold text-ink">
        {news}
      </span>
    </>
  )
}

function StateText({ state, at }: { state: LiveState; at: string }) {
  if (state === 'connecting') return null
  if (state === 'live') return <Mark isLive>Live: new readings appear here by themselves.</Mark>
  const reason = state === 'offline' ? 'You are offline' : 'Not live, connecting again'
  return <Mark>{`${reason}: this is as of ${at}.`}</Mark>
}

/** A full dot while it is live, an empty one else. */
const Mark = ({ isLive = false, children }: { isLive?: boolean; children: ReactNode }) => (
  <span>
    <span
      aria-hidden="true"
      className={`mr-2 inline-block size-2.5 rounded-full border-2 ${isLive ? 'border-good bg-good' : 'border-warn'}`}
    />
    {children}
  </span>
)
