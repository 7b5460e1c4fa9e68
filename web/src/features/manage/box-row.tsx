import type { ManagedBox } from '@befaqt/domain/api/manage-api'
import { Link } from 'react-router'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { When } from '#web/features/box/when.tsx'
import { labelAddress } from './box-calls.ts'

const tones: Readonly<Record<ManagedBox['stage'], BadgeTone>> = {
  registered: 'plain',
  'at sea': 'teal',
  'on the road': 'teal',
  'at market': 'good',
  sealed: 'plain',
}

/** Classes of the grid that a box's cells stand in on a wide screen. */
export const boxGrid = 'lg:grid-cols-[minmax(10rem,1fr)_minmax(9rem,1fr)_7rem_9rem_minmax(12rem,1.4fr)_8rem]'

/** Where one box is managed. */
export const boxAddress = (boxID: string): string => `/manage/box/${encodeURIComponent(boxID)}`

/** How far a box has come, as a word. */
export const StageMark = ({ stage }: { stage: ManagedBox['stage'] }) => (
  <Badge tone={tones[stage]}>{stage}</Badge>
)

/** Alerts of a box in words, each once; never a verdict on food safety. */
export function Alerts({ alerts }: { alerts: ManagedBox['alerts'] }) {
  const said = [...new Set(alerts.map(({ words }) => words))]
  if (said.length === 0) return null
  return (
    <ul className="grid gap-1">
      {said.map((words) => (
        <li key={words} className="text-sm text-warn">
          <span aria-hidden="true">▲ </span>
          {words}
        </li>
      ))}
    </ul>
  )
}

/** One box of the list. */
export function BoxRow({ box }: { box: ManagedBox }) {
  const { boxID, species, trader, stage, records, pending, alerts, caughtAt, products } = box
  return (
    <li className="border-line border-b px-3 py-3 odd:bg-surface even:bg-ice">
      <div
        className={`flex flex-wrap items-center gap-x-5 gap-y-2 md:grid md:grid-cols-[minmax(10rem,1fr)_minmax(10rem,1.2fr)_7rem_9rem] lg:gap-x-4 ${boxGrid}`}
      >
        <span className="flex flex-wrap items-center gap-x-3 max-md:w-full">
          <Link
            to={boxAddress(boxID)}
            data-action="open"
            className="link inline-flex min-h-11 items-center font-semibold wrap-anywhere"
          >
            {boxID}
          </Link>
          {box.sample && <span className="text-slate text-sm">sample</span>}
        </span>
        <span>
          {species || 'no catch yet'}
          <span className="block text-slate text-sm">{trader}</span>
        </span>
        <span>
          <StageMark stage={stage} />
        </span>
        <span className="text-sm">
          {caughtAt ? <When text={caughtAt} /> : <span className="text-slate">not caught yet</span>}
          <span className="block text-slate">
            {records} {records === 1 ? 'record' : 'records'}
            {pending > 0 && `, ${pending} not anchored`}
          </span>
        </span>
        <div className="max-md:w-full md:max-lg:col-span-3">
          <span className="block text-slate text-sm">
            {products.length === 0 ? 'no product' : products.map(({ title }) => title).join(', ')}
          </span>
          <Alerts alerts={alerts} />
        </div>
        <a
          href={labelAddress(boxID)}
          target="_blank"
          rel="noreferrer"
          data-action="label"
          className="link inline-flex min-h-11 items-center"
        >
          Print label<span className="sr-only"> of {boxID}</span>
        </a>
      </div>
    </li>
  )
}
