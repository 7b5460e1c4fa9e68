import type { Attention, LedgerHealth } from '@befaqt/domain/api/manage-api'
import type { BoxInDoubt, DeskToday } from '@befaqt/domain/api/today-api'
import { mayAtDesk } from '@befaqt/domain/rights'
import { useEffect } from 'react'
import { Link, useRevalidator } from 'react-router'
import { useViewer } from '#web/root-data.ts'
import { Moment } from '#web/time/time.tsx'
import { StageMark } from '../box/box-state.tsx'
import { ManageLayout, ReadResult } from '../manage-layout.tsx'
import { managedBoxPath } from '../paths.ts'
import type { Read } from '../read.ts'
import { Attentions } from './attentions.tsx'
import { BoxesInDoubt } from './boxes-in-doubt.tsx'
import { NearBest } from './near-best.tsx'
import { Panel, rowsClass } from './panel.tsx'
import { SlotsToPack } from './slots-to-pack.tsx'
import { Sold } from './sold.tsx'

export type TodayFound = { attention: Attention[]; health: LedgerHealth; today: DeskToday }

/** How often the page is read again while somebody has it in sight. */
const AGAIN_MS = 60_000

/** Today: what is to be done now, each with the way there. */
export function TodayScreen({ found }: { found: Read<TodayFound> }) {
  useReadAgain()
  const viewer = useViewer()
  const [seesOrders, seesShelves, seesBoxes] = (['order:read', 'shop:write', 'box:write'] as const).map(
    (right) => mayAtDesk(viewer, right),
  )
  return (
    <ManageLayout help={false}>
      <ReadResult found={found}>
        {({ attention, health, today }) => (
          <>
            <div className="grid items-start gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] xl:grid-rows-[auto_1fr] 2xl:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_minmax(0,3fr)]">
              <div className="grid gap-8 xl:row-span-2">
                <BoxesInDoubt list={today.inDoubt} />
                {seesOrders && <SlotsToPack {...today} />}
                {seesShelves && <NearBest list={today.nearBest} today={today.sold.day} />}
              </div>
              <div className="grid gap-8">
                {seesOrders && <Sold {...today} />}
                <Attentions
                  list={attention}
                  isOwner={viewer?.role === 'ADMIN'}
                  without={shownBeside(attention, today.inDoubt)}
                />
              </div>
              <div className="grid gap-8 empty:hidden">
                {seesShelves && <RunningOut list={today.runningOut} />}
                {seesBoxes && <Arriving list={today.arriving} />}
              </div>
            </div>
            <Ledger health={health} />
          </>
        )}
      </ReadResult>
    </ManageLayout>
  )
}

/** Reads the page again each minute while somebody has it in sight. */
export function useReadAgain(): void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    const again = (): void => {
      if (document.visibilityState === 'visible' && navigator.onLine) void revalidate()
    }
    const timer = setInterval(again, AGAIN_MS)
    return () => clearInterval(timer)
  }, [revalidate])
}

/** Kinds of which the list of boxes shows every one. */
function shownBeside(attention: readonly Attention[], boxes: readonly BoxInDoubt[]): string[] {
  const excursions = ['excursions', 'excursions-ended']
  const all = attention.filter(({ kind }) => excursions.includes(kind)).reduce((n, { count }) => n + count, 0)
  return all <= boxes.filter(({ excursion }) => excursion !== null).length ? excursions : []
}

function RunningOut({ list }: { list: DeskToday['runningOut'] }) {
  if (list.length === 0) return null
  return (
    <Panel id="running-out" title="Runs out">
      <ul className={rowsClass}>
        {list.map(({ _id, title, unit, stock }) => (
          <li key={_id}>
            <Link
              to={`/manage/product?${new URLSearchParams({ q: title })}`}
              className="flex min-h-11 items-center justify-between gap-4 py-1.5 hover:text-teal"
            >
              <span className="min-w-0 wrap-anywhere">{title}</span>
              <span className={`shrink-0 tabular-nums ${stock === 0 ? 'font-semibold text-bad' : ''}`}>
                {stock === 0 ? 'none left' : `${stock} ${unit} left`}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Arriving({ list }: { list: DeskToday['arriving'] }) {
  if (list.length === 0) return null
  return (
    <Panel id="arriving" title="Boxes that arrive">
      <ul className={rowsClass}>
        {list.map(({ boxID, species, stage }) => (
          <li key={boxID}>
            <Link
              to={managedBoxPath(boxID)}
              className="flex min-h-11 items-center justify-between gap-4 py-1.5 hover:text-teal"
            >
              <span className="min-w-0 wrap-anywhere">
                <span className="font-semibold">{boxID}</span> {species}
              </span>
              <StageMark stage={stage} />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** The ledger in one line: what is wrong with it stands above, among what needs attention. */
function Ledger({ health }: { health: LedgerHealth }) {
  const seesHealth = mayAtDesk(useViewer(), 'site:write')
  const { fault, reachable, pendingRecords, lastAnchorAt } = health
  const state = fault ? 'needs attention' : reachable ? 'online' : 'offline'
  return (
    <p className="mt-10 border-line border-t pt-3 muted">
      {seesHealth ? (
        <Link to="/manage/health" className="hover:text-teal hover:underline">
          Ledger
        </Link>
      ) : (
        'Ledger'
      )}{' '}
      {state}, {pendingRecords === 1 ? '1 record waits' : `${pendingRecords} records wait`} to be anchored
      {lastAnchorAt && (
        <>
          , last anchor <Moment at={lastAnchorAt} />
        </>
      )}
    </p>
  )
}
