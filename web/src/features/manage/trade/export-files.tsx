import { urlOf } from '@befaqt/domain/api/endpoint'
import { exportTrade } from '@befaqt/domain/api/endpoints/box-trade'
import { MAX_DOCUMENT_BOXES, MAX_SHEET_BOXES } from '@befaqt/domain/limits'
import { useEffect, useRef, useState } from 'react'
import { download } from '#web/api/download.ts'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { FailureBanner } from '../form-parts.tsx'
import type { TradeQuery } from './trade-query.ts'

const files = [
  { profile: 'gdst', label: 'EPCIS 2.0 with GDST', most: MAX_DOCUMENT_BOXES },
  { profile: 'fsma204', label: 'FSMA 204 sheet (CSV)', most: MAX_SHEET_BOXES },
] as const

type Profile = (typeof files)[number]['profile']
type State =
  | { phase: 'idle' }
  | { phase: 'making'; profile: Profile; bytes: number }
  | { phase: 'saved'; name: string }
  | { phase: 'failed'; error: unknown }

/** The files of a choice. One that would be cut short is refused before it is asked for, and by the server. */
export function ExportFiles({ choice, total }: { choice: TradeQuery; total: number }) {
  const [state, setState] = useState<State>({ phase: 'idle' })
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
  const tooMany = files.filter(({ most }) => total > most)
  return (
    <div className="mb-6 grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <p className="font-semibold">
          {total.toLocaleString('en-AU')} {total === 1 ? 'box' : 'boxes'}:
        </p>
        {files.map(({ profile, label, most }) => (
          <Button
            key={profile}
            disabled={!hydrated || total > most || state.phase === 'making'}
            onClick={() => void make(profile)}
          >
            {label}
          </Button>
        ))}
        {state.phase === 'making' && (
          <Button variant="link" onClick={() => running.current?.abort()}>
            Stop
          </Button>
        )}
      </div>
      {tooMany.map(({ label, most }) => (
        <p key={label} className="text-warn">
          {label}: one file holds at most {most.toLocaleString('en-AU')} boxes, and would be cut short. Choose
          fewer days.
        </p>
      ))}
      <p role="status" className={state.phase === 'saved' ? 'text-good' : 'text-slate'}>
        {state.phase === 'making' && `Making the file… ${Math.ceil(state.bytes / 1024)} KB`}
        {state.phase === 'saved' && `Saved as ${state.name}.`}
      </p>
      {state.phase === 'failed' && (
        <FailureBanner error={state.error} onDismiss={() => setState({ phase: 'idle' })} />
      )}
    </div>
  )
}
