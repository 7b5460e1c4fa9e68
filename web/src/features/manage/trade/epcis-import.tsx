import type { AnswerOf } from '@befaqt/domain/api/endpoint'
import { importEpcis } from '@befaqt/domain/api/endpoints/box-page'
import { type FieldError, ShopError } from '@befaqt/domain/errors'
import { type ChangeEvent, useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { LogInBeside } from '#web/features/account/log-in-again.tsx'
import { isLoggedOut } from '../form-parts.tsx'
import { managedBoxPath } from '../paths.ts'

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
    <section
      aria-labelledby="epcis-import"
      className="min-w-0 rounded-lg border border-line bg-surface p-4 sm:p-6"
    >
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
