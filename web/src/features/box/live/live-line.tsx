import type { BoxPageView } from '@befaqt/domain/api/box-api'
import { readBoxPage, readBoxPageNews } from '@befaqt/domain/api/endpoints/boxes'
import { withPageNews } from '@befaqt/domain/box-page-news'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { formatTime, useMarketZone } from '#web/time/time.tsx'
import { degrees } from '../chart/readings.ts'
import type { CheckState } from '../check/check-state.ts'
import { usePageCheck } from '../check/page-check.tsx'
import { recordLabels } from '../records.ts'
import { BoxStore, type BoxWorld, type ShownCheck, type Standing } from './box-store.ts'
import { followBox } from './box-stream.ts'

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

const READ: Omit<BoxWorld<BoxPageView>, 'listen' | 'words'> = {
  read: (shown, wanted) => readNewer(shown, wanted === 'whole'),
  shownEvent,
}

/** Keeps the page of a box up to date, and says whether it does. A page whose check is running is left to it. */
export default function LiveLine({ view, onView }: Props) {
  const zone = useMarketZone()
  const { shop } = usePageCheck()
  const { boxID } = view.box
  const [store] = useState(
    () =>
      new BoxStore(view, {
        ...READ,
        listen: (listener) => followBox(boxID, listener),
        words: (before, after) => newsText(before, after, zone),
      }),
  )
  const check = shownCheck(shop)
  useEffect(() => store.shows(view, check), [store, view, check])
  useEffect(() => store.follow(onView), [store, onView])
  const { standing, since, news } = useSyncExternalStore(store.subscribe, store.state)
  return (
    <>
      <StateText standing={standing} at={formatTime(new Date(since).toISOString(), zone)} />{' '}
      <span role="status" className="font-semibold text-ink">
        {news}
      </span>
    </>
  )
}

function shownCheck(shop: CheckState): ShownCheck {
  if (shop.phase === 'waiting' || shop.phase === 'checking') return 'running'
  return shop.phase === 'done' && shop.page?.kind === 'differs' ? 'differs' : 'ended'
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
