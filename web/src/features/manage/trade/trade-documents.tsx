import { type AnswerOf, urlOf } from '@befaqt/domain/api/endpoint'
import { exportTrade, importEpcis } from '@befaqt/domain/api/endpoints/box-page'
import { type FieldError, ShopError } from '@befaqt/domain/errors'
import { MAX_DOCUMENT_BOXES, MAX_SHEET_BOXES } from '@befaqt/domain/limits'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { download } from '#web/api/download.ts'
import { userMessage } from '#web/api/hydration.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { LogInBeside } from '#web/features/account/log-in-again.tsx'
import { FailureBanner, isLoggedOut } from '../form-parts.tsx'
import { managedBoxPath } from '../paths.ts'
import type { TradeQuery } from '../read.ts'

const files = [
  { profile: 'gdst', label: 'EPCIS 2.0 with GDST', most: MAX_DOCUMENT_BOXES },
  { profile: 'fsma204', label: 'FSMA 204 sheet (CSV)', most: MAX_SHEET_BOXES },
] as const

type Profile = (typeof files)[number]['profile']
type ExportState =
  | { phase: 'idle' }
  | { phase: 'making'; profile: Profile; bytes: number }
  | { phase: 'saved'; name: string }
  | { phase: 'failed'; error: unknown }

/** The files of a choice. One that would be cut short is refused before it is asked for, and by the server. */
export function ExportFiles({ choice, total }: { choice: TradeQuery; total: number }) {
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

/** As the server: the body of a whole Box. */
const MAX_BYTES = 8 * 1024 * 1024

type Imported = AnswerOf<typeof importEpcis>['boxes']
type Failure = { message: string; fields: readonly FieldError[]; isLoggedOut: boolean }
/** `failure` of what is shown: why it could not be imported; it can be tried again. */
type State =
  | { phase: 'empty' }
  | { phase: 'reading' }
  | { phase: 'failed'; failure: Failure }
  | { phase: 'shown' | 'importing' | 'done'; document: unknown; boxes: Imported; failure?: Failure }

const outcomes = {
  created: 'will be created',
  unchanged: 'already exists, with the same content',
  differs: 'already exists with different content, so nothing in this file can be imported',
} as const

/** Boxes out of an EPCIS document: first what would come of it, then, if wanted, done. */
export function EpcisImport() {
  const [state, setState] = useState<State>({ phase: 'empty' })
  const { revalidate } = useRevalidator()
  const hydrated = useHydrated()

  async function look({ currentTarget: input }: ChangeEvent<HTMLInputElement>) {
    const file = input.files?.[0]
    if (!file) return
    setState({ phase: 'reading' })
    try {
      if (file.size > MAX_BYTES) throw new Unreadable('This file is larger than 8 MB.')
      const document = await readJson(file)
      const { boxes } = await callApi(importEpcis, { query: { dry: 'true' }, body: document })
      setState({ phase: 'shown', document, boxes })
    } catch (error) {
      setState({ phase: 'failed', failure: failureOf(error) })
    }
    input.value = ''
  }

  async function take(document: unknown, boxes: Imported) {
    setState({ phase: 'importing', document, boxes })
    try {
      const done = await callApi(importEpcis, { body: document })
      setState({ phase: 'done', document, boxes: done.boxes })
      void revalidate()
    } catch (error) {
      setState({ phase: 'shown', document, boxes, failure: failureOf(error) })
    }
  }

  return (
    <section aria-labelledby="epcis-import" className="mt-10 border-line border-t pt-6">
      <h2 id="epcis-import" className="mb-2 text-2xl">
        Import from EPCIS
      </h2>
      <label className="block">
        <span className="mb-3 block">
          An EPCIS 2.0 document (JSON-LD). Nothing is imported before you have seen what it would do.
        </span>
        <input
          type="file"
          accept=".json,.jsonld,application/json,application/ld+json"
          disabled={!hydrated || state.phase === 'reading' || state.phase === 'importing'}
          onChange={(event) => void look(event)}
          className="min-h-11 w-full file:mr-3 file:min-h-11 file:cursor-pointer file:rounded-md file:border file:border-edge file:bg-transparent file:px-4 file:font-semibold"
        />
      </label>
      <div role="status" className="mt-4">
        {state.phase === 'reading' && <p>Reading the file…</p>}
        {'failure' in state && state.failure && (
          <Refused
            {...state.failure}
            then={state.phase === 'failed' ? 'choose the file again' : 'import again'}
          />
        )}
        {'boxes' in state && <Outcome boxes={state.boxes} isDone={state.phase === 'done'} />}
      </div>
      {(state.phase === 'shown' || state.phase === 'importing') &&
        state.boxes.some(({ outcome }) => outcome === 'created') &&
        state.boxes.every(({ outcome }) => outcome !== 'differs') && (
          <Button
            disabled={state.phase === 'importing'}
            onClick={() => void take(state.document, state.boxes)}
          >
            {state.phase === 'importing' ? 'Importing…' : 'Import'}
          </Button>
        )}
    </section>
  )
}

class Unreadable extends Error {}

const failureOf = (error: unknown): Failure => ({
  message: error instanceof Unreadable ? error.message : userMessage(error),
  fields: error instanceof ShopError ? error.fields : [],
  isLoggedOut: isLoggedOut(error),
})

/** Refusals that are listed one by one. */
const SHOWN = 20

/** Why nothing of a file was taken: each refusal with its path in the document. */
function Refused({ message, fields, isLoggedOut, then }: Failure & { then: string }) {
  return (
    <Alert tone="bad">
      {fields.length === 0 ? (
        <p>{message}</p>
      ) : (
        <>
          <p>Nothing in this file was imported:</p>
          <ul className="mt-2 grid gap-1">
            {fields.slice(0, SHOWN).map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                <code className="wrap-anywhere">{path || 'the document'}</code>: {message}
              </li>
            ))}
            {fields.length > SHOWN && <li>and {fields.length - SHOWN} more</li>}
          </ul>
        </>
      )}
      {isLoggedOut && <LogInBeside then={then} />}
    </Alert>
  )
}

async function readJson(file: File): Promise<unknown> {
  try {
    return JSON.parse(await file.text())
  } catch {
    throw new Unreadable('This file is not readable as JSON.')
  }
}

function Outcome({ boxes, isDone }: { boxes: Imported; isDone: boolean }) {
  return (
    <ul className="mb-4 grid gap-2">
      {boxes.map(({ boxID, outcome, records, notTaken }) => (
        <li key={boxID}>
          <b className="wrap-anywhere font-semibold">
            {isDone ? (
              <Link to={managedBoxPath(boxID)} className="link">
                {boxID}
              </Link>
            ) : (
              boxID
            )}
          </b>{' '}
          {isDone && outcome === 'created' ? 'was created' : outcomes[outcome]}
          {outcome === 'created' && `, with ${records} records`}.
          {notTaken.length > 0 && (
            <span className="block muted">Not taken from the file: {notTaken.join(', ')}.</span>
          )}
        </li>
      ))}
    </ul>
  )
}
