import type { BoxPageView } from '@befaqt/domain/api/box-api'
import { readBoxPage, readBoxPageNews } from '@befaqt/domain/api/endpoints/boxes'
import { withPageNews } from '@befaqt/domain/box-page-news'
import { type ReactNode, useEffect, useReducer, useRef, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { formatTime, useMarketZone } from '#web/time/time.tsx'
import { degrees } from '../chart/readings.ts'
import { usePageCheck } from '../check/page-check.tsx'
import { recordLabels } from '../records.ts'
import { begin, follow, followBox, retryDelay, type Standing, standing } from './follow-box.ts'

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
  const [state, dispatch] = useReducer(follow, null, () => begin(Date.now()))
  const [news, setNews] = useState('')
  const shown = useRef(view)
  shown.current = view
  const { boxID } = view.box
  useEffect(
    () =>
      followBox(boxID, {
        shown: () => shownEvent(shown.current),
        onState: (stream) => dispatch({ type: 'stream', stream, at: Date.now() }),
        onNews: () => dispatch({ type: 'news' }),
      }),
    [boxID],
  )
  /** The page that news made, and the one that it was before. */
  const grown = useRef<{ view: BoxPageView; before: BoxPageView }>(null)
  const isDoubtful = grown.current?.view === view && shop.phase === 'done' && shop.page?.kind === 'differs'
  useEffect(() => {
    if (isDoubtful) dispatch({ type: 'doubt' })
  }, [isDoubtful])
  const isChecking = shop.phase === 'waiting' || shop.phase === 'checking'
  const { wanted, failures, reads } = state
  const delay = retryDelay(state)
  useEffect(() => {
    if (wanted === null || isChecking) return
    let isGone = false
    const timer = window.setTimeout(
      async () => {
        dispatch({ type: 'reading', read: reads })
        const newer = await readNewer(shown.current, wanted === 'whole').catch(() => undefined)
        if (isGone) return
        if (newer === undefined) return dispatch({ type: 'failed' })
        dispatch({ type: 'read', at: Date.now() })
        const isWhole = wanted === 'whole'
        const before = (isWhole && grown.current?.before) || shown.current
        grown.current = isWhole ? null : { view: newer, before }
        setNews((last) => newsText(before, newer, zone) || (isWhole ? '' : last))
        onView(newer)
      },
      delay + WAIT_MS + Math.random() * WAIT_SPREAD_MS * (failures + 1),
    )
    return () => {
      isGone = true
      window.clearTimeout(timer)
    }
  }, [wanted, reads, failures, delay, isChecking, zone, onView])
  const at = formatTime(new Date(state.since).toISOString(), zone)
  return (
    <>
      <StateText standing={standing(state)} at={at} />{' '}
      <span role="status" className="font-semibold text-ink">
        {news}
      </span>
    </>
  )
}

const reasons = {
  offline: 'You are offline',
  lost: 'Not live, connecting again',
  behind: 'There is more, which could not be fetched yet; trying again',
} as const

function StateText({ standing, at }: { standing: Standing; at: string }) {
  if (standing === 'connecting') return null
  if (standing === 'live') return <Mark isLive>Live: new readings appear here by themselves.</Mark>
  return <Mark>{`${reasons[standing]}: this is as of ${at}.`}</Mark>
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

/** The id of the newest event of a box that its page shows, as the server writes it. */
function shownEvent({ records }: Pick<BoxPageView, 'records'>): string {
  const anchor = records.findLast(({ anchorIndex }) => anchorIndex !== null)?.anchorIndex
  return `${records.length}-${anchor ?? 'none'}`
}

type Shown = Pick<BoxPageView, 'box' | 'records'>

/** What a newer page of a box has that the one before had not, in a sentence; blank when nothing was added. */
function newsText(before: Shown, after: Shown, timeZone: string): string {
  const [old, readings] = [readingsOf(before), readingsOf(after)]
  const last = after.box.iotResult?.iotTracking.at(-1)
  const count = readings - old
  if (count > 0 && last !== undefined) {
    const reading = `${degrees(last.temperature)}, ${formatTime(last.time, timeZone)}`
    return count === 1 ? `New reading: ${reading}.` : `${count} new readings, the last: ${reading}.`
  }
  const kinds = new Set(
    after.records.slice(before.records.length).map(({ kind }) => recordLabels[kind] ?? kind),
  )
  if (kinds.size > 0) return `New in the records: ${[...kinds].join(', ')}.`
  const anchored = pendingIn(before) - pendingIn(after)
  if (anchored <= 0) return ''
  return anchored === 1 ? '1 record is anchored now.' : `${anchored} records are anchored now.`
}

const readingsOf = ({ box }: Shown): number => box.iotResult?.iotTracking.length ?? 0

const pendingIn = ({ records }: Shown): number => records.filter(({ state }) => state === 'pending').length
