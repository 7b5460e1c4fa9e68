import { urlOf } from '@befaqt/domain/api/endpoint'
import { exportTrade } from '@befaqt/domain/api/endpoints/box-page'
import { MAX_DOCUMENT_BOXES, MAX_SHEET_BOXES } from '@befaqt/domain/limits'
import { dayText } from '@befaqt/domain/moment-text'
import { useEffect, useRef, useState } from 'react'
import { download } from '#web/api/download.ts'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { FailureBanner } from '../form-parts.tsx'
import type { TradeQuery } from '../read.ts'

const files = [
  {
    profile: 'gdst',
    label: 'EPCIS 2.0 with GDST',
    title: 'For buyers and their systems',
    about: 'What happened to each box, event by event, as JSON-LD.',
    most: MAX_DOCUMENT_BOXES,
    missing: 'Not in it, because no record says it',
    none: 'GDST asks for nothing else that all of these boxes lack.',
  },
  {
    profile: 'fsma204',
    label: 'FSMA 204 sheet (CSV)',
    title: 'For the FDA',
    about: 'The sortable spreadsheet that FSMA 204 lets it ask for, a line for each box.',
    most: MAX_SHEET_BOXES,
    missing: 'Blank in it, because no record says it',
    none: 'No column is blank for all of these boxes.',
  },
] as const

type Profile = (typeof files)[number]['profile']
type ExportState =
  | { phase: 'idle' }
  | { phase: 'making'; profile: Profile; bytes: number }
  | { phase: 'saved'; name: string }
  | { phase: 'failed'; error: unknown }

type ExportProps = {
  choice: TradeQuery
  total: number
  /** There are more than `total`. */
  isMore: boolean
  /** What each file lacks of all the boxes that are listed. */
  missing: Readonly<Record<Profile, readonly string[]>>
}

/** The files of a choice. One that would be cut short is refused before it is asked for, and by the server. */
export function ExportFiles({ choice, total, isMore, missing }: ExportProps) {
  const [state, setState] = useState<ExportState>({ phase: 'idle' })
  const hydrated = useHydrated()
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  const make = async (profile: Profile) => {
    const ended = new AbortController()
    running.current = ended
    setState({ phase: 'making', profile, bytes: 0 })
    const onBytes = (bytes: number) => setState({ phase: 'making', profile, bytes })
    try {
      const name = await download(
        urlOf(exportTrade, { query: { profile, ...choice } }),
        onBytes,
        ended.signal,
      )
      setState({ phase: 'saved', name })
    } catch (error) {
      setState(ended.signal.aborted ? { phase: 'idle' } : { phase: 'failed', error })
    }
  }
  return (
    <div className="mb-6 grid gap-3">
      <h3 className="text-lg">
        {isMore && 'Over '}
        {total.toLocaleString('en-AU')} {total === 1 ? 'box' : 'boxes'}
        {'from' in choice && `, caught ${spanText(choice)}`}
      </h3>
      <div className="grid items-stretch gap-4 md:grid-cols-2">
        {files.map(({ profile, label, most, ...words }) => (
          <article
            key={profile}
            className="flex flex-col items-start gap-3 rounded-lg border border-line bg-surface p-4"
          >
            <div>
              <h4 className="text-lg">{words.title}</h4>
              <p className="text-slate">{words.about}</p>
            </div>
            <Button
              disabled={!hydrated || total > most || isMore || state.phase === 'making'}
              onClick={() => void make(profile)}
            >
              {label}
            </Button>
            {(total > most || isMore) && (
              <p className="text-warn">
                {label}: one file holds at most {most.toLocaleString('en-AU')} boxes, and would be cut short.
                Choose fewer days.
              </p>
            )}
            <Missing texts={missing[profile]} title={words.missing} none={words.none} />
          </article>
        ))}
      </div>
      <div className="flex min-h-11 flex-wrap items-center gap-x-4">
        <p role="status" className={state.phase === 'saved' ? 'text-good' : 'text-slate'}>
          {state.phase === 'making' && `Making the file… ${Math.ceil(state.bytes / 1024)} KB`}
          {state.phase === 'saved' && `Saved as ${state.name}.`}
        </p>
        {state.phase === 'making' && (
          <Button variant="link" onClick={() => running.current?.abort()}>
            Stop
          </Button>
        )}
      </div>
      {state.phase === 'failed' && (
        <FailureBanner error={state.error} onDismiss={() => setState({ phase: 'idle' })} />
      )}
    </div>
  )
}

/** Days of the catch as people say them. */
const spanText = ({ from, to }: { from: string; to: string }): string => {
  const [first, last] = [from, to].map((day) => `${dayText(day)} ${day.slice(0, 4)}`)
  return from === to ? `on ${first}` : `from ${first} to ${last}`
}

type MissingProps = { texts: readonly string[]; title: string; none: string }

/** What a file will not hold of any of the boxes that are listed. */
const Missing = ({ texts, title, none }: MissingProps) =>
  texts.length === 0 ? (
    <p className="text-slate">{none}</p>
  ) : (
    <div>
      <p className="font-semibold">{title}:</p>
      <ul className="list-disc gap-x-8 pl-5 sm:columns-2">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  )
