import { temperatureText } from '@befaqt/domain/tracking'
import { useState } from 'react'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import type { Draft, QueuedEntry } from '../database.ts'
import { dropEntry } from '../queue/queue.ts'
import { currentlySending, trySending } from '../queue/sender.ts'
import { go, paths } from '../route.ts'

const marks = {
  waiting: { tone: 'warn', word: 'waiting' },
  sending: { tone: 'teal', word: 'sending' },
  sent: { tone: 'good', word: '✓ sent' },
  refused: { tone: 'bad', word: 'refused' },
} as const

const clock = (at: string): string =>
  new Date(at).toLocaleString('en-AU', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
  })

function textOf(entry: Draft): string {
  if (entry.kind === 'catch') return entry.species
  if (entry.kind === 'handover') return `${entry.from} to ${entry.to}`
  return `${temperatureText(entry.temperature)} °C, ${entry.iotID}`
}

function standText(waiting: number, refused: number): string {
  if (waiting > 0) return `${waiting} waiting to be sent.`
  return refused > 0 ? `${refused} refused: fix or discard below.` : 'Everything is sent.'
}

/**
 * What this user has on this phone, newest first, and where each stands. Of what others made only the number is told:
 * phones are shared on a boat.
 */
export function QueueList({ queue, userId }: { queue: readonly QueuedEntry[]; userId: string | null }) {
  const own = queue.filter(({ owner }) => owner === userId)
  const waiting = own.filter(({ state }) => state === 'waiting').length
  const refused = own.filter(({ state }) => state === 'refused').length
  const others = queue.filter(({ owner, state }) => owner !== userId && state !== 'sent').length
  if (own.length === 0 && others === 0) return null
  return (
    <section aria-label="On this phone" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-2xl">On this phone</h2>
        {waiting > 0 && (
          <Button variant="outline" className="min-h-12" onClick={() => trySending(true)}>
            Send now
          </Button>
        )}
      </div>
      {own.length > 0 && (
        <>
          <p role="status">{standText(waiting, refused)}</p>
          <ul className="divide-y divide-line border-line border-y">
            {own.toReversed().map((entry) => (
              <Row key={entry.id} entry={entry} />
            ))}
          </ul>
        </>
      )}
      {others > 0 && (
        <p>
          {others === 1 ? '1 entry waits' : `${others} entries wait`} here until whoever made{' '}
          {others === 1 ? 'it' : 'them'} logs in.
        </p>
      )}
    </section>
  )
}

function Row({ entry: queued }: { entry: QueuedEntry }) {
  const { id, entry, state, problem, outcome } = queued
  const [asking, setAsking] = useState(false)
  const mark = marks[currentlySending() === id ? 'sending' : state]
  const what = textOf(entry)
  return (
    <li className="grid gap-1 py-3">
      <p className="flex items-center justify-between gap-3">
        <span className="min-w-0 font-semibold wrap-anywhere">{what}</span>
        <Badge tone={mark.tone}>{mark.word}</Badge>
      </p>
      <p className="muted">
        <span className="font-mono">{entry.box}</span> · {clock(entry.madeAt)}
      </p>
      {problem && state !== 'sent' && <p className="text-sm text-warn">{problem}</p>}
      {outcome?.claim === 'waiting' && (
        <p className="text-sm text-warn">
          {outcome.kind === 'catch'
            ? 'The shop has it, and looks at it before it is recorded: see “My boxes”.'
            : 'Waits for confirmation by whoever holds the box, or by the shop: see “My boxes”.'}
        </p>
      )}
      {outcome?.kind === 'reading' && (
        <p className="muted">{outcome.signed ? 'Signed by this phone.' : 'Unsigned: shown as typed in.'}</p>
      )}
      {outcome?.clockWrong && (
        <p className="text-sm text-warn">
          This phone’s clock is wrong: recorded for {clock(outcome.at)} and flagged.
        </p>
      )}
      {outcome?.late && <p className="muted">Arrived late, and is marked as late.</p>}
      {state === 'refused' && (
        <div className="flex flex-wrap gap-2">
          <Button className="min-h-12" onClick={() => go(`${paths[entry.kind]}?mend=${id}`)}>
            {' '}
            Fix it{' '}
          </Button>
          <Button variant="outline" className="min-h-12" onClick={() => setAsking(true)}>
            Discard
          </Button>
        </div>
      )}
      <Dialog open={asking} title="Discard this entry?" onClose={() => setAsking(false)}>
        <p className="mb-6">It was never recorded, and is on this phone alone.</p>
        <div className="flex flex-wrap gap-3">
          <Button className="min-h-12" onClick={() => setAsking(false)}>
            Keep it
          </Button>
          <Button variant="outline" className="min-h-12" onClick={() => void dropEntry(id)}>
            Discard for good
          </Button>
        </div>
      </Dialog>
    </li>
  )
}
