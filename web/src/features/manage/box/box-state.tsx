import type { LedgerHealth as Health, ManagedBox } from '@befaqt/domain/api/manage-api'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { Moment } from '#web/time/time.tsx'
import { excursionPath } from '../paths.ts'

const tones: Readonly<Record<ManagedBox['stage'], BadgeTone>> = {
  registered: 'plain',
  'at sea': 'teal',
  'on the road': 'teal',
  'at market': 'good',
  sealed: 'plain',
}

/** How far a box has come, as a word. */
export const StageMark = ({ stage }: { stage: ManagedBox['stage'] }) => (
  <Badge tone={tones[stage]}>{stage}</Badge>
)

/** Excursions and alerts of a box that nobody has dealt with, in words, each once; never a verdict on food safety. */
export function Alerts({ alerts, excursions }: Pick<ManagedBox, 'alerts' | 'excursions'>) {
  const messages = [...new Set(alerts.flatMap(({ words, seen }) => (seen ? [] : [words])))]
  if (messages.length === 0 && excursions.length === 0) return null
  return (
    <ul className="grid gap-1">
      {excursions.map(({ id, text, endedAt }) => (
        <li key={id} className="relative z-10 text-sm">
          <Link to={excursionPath(id)} className="link tap text-warn">
            <span aria-hidden="true">▲&nbsp;</span>
            {text} {endedAt === null ? 'Goes on.' : 'Ended.'}
          </Link>
        </li>
      ))}
      {messages.map((message) => (
        <li key={message} className="text-sm text-warn">
          <span aria-hidden="true">▲ </span>
          {message}
        </li>
      ))}
    </ul>
  )
}

const SECONDS_A_MINUTE = 60

/** How far the ledger is behind the records, and whether it answers. */
export function LedgerHealth({ health }: { health: Health }) {
  const { reachable, blockNumber, pendingRecords, lastAnchorAt, lagS, fault } = health
  const [tone, word] = fault
    ? (['bad', 'needs attention'] as const)
    : reachable
      ? (['good', 'online'] as const)
      : (['warn', 'offline'] as const)
  return (
    <section aria-label="Ledger" className="rounded-lg border border-line bg-surface p-4 sm:p-6">
      <h2 className="mb-3 flex flex-wrap items-center gap-3 text-xl">
        Ledger <Badge tone={tone}>{word}</Badge>
      </h2>
      {fault && <p className="mb-3 font-semibold text-bad">{fault}</p>}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:flex sm:flex-wrap sm:gap-x-12">
        <Fact name="Records not anchored yet">{pendingRecords}</Fact>
        <Fact name="Longest wait">
          {pendingRecords === 0 ? 'none' : `${Math.ceil(lagS / SECONDS_A_MINUTE)} min`}
        </Fact>
        <Fact name="Last anchor">{lastAnchorAt ? <Moment at={lastAnchorAt} /> : 'none yet'}</Fact>
        <Fact name="Block">{blockNumber ?? 'unknown'}</Fact>
      </dl>
    </section>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="muted">{name}</dt>
    <dd className="font-semibold">{children}</dd>
  </div>
)
