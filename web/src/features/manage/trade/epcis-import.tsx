import type { AnswerOf } from '@befaqt/domain/api/endpoint'
import { importEpcis } from '@befaqt/domain/api/endpoints/box-trade'
import { type ChangeEvent, useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { managedBoxPath } from './box-row.tsx'

/** As the server: the body of a whole Box. */
const MAX_BYTES = 8 * 1024 * 1024

type Imported = AnswerOf<typeof importEpcis>['boxes']
type State =
  | { phase: 'empty' }
  | { phase: 'reading' }
  | { phase: 'failed'; message: string }
  | { phase: 'shown' | 'importing' | 'done'; document: unknown; boxes: Imported }

const outcomes = {
  created: 'will be made',
  unchanged: 'is here already, with the same content',
  differs: 'is here already with another content, so that nothing of this file can be taken',
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
      setState({ phase: 'failed', message: error instanceof Unreadable ? error.message : userMessage(error) })
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
      setState({ phase: 'failed', message: userMessage(error) })
    }
  }

  return (
    <section aria-labelledby="epcis-import" className="mt-10 border-line border-t pt-6">
      <h2 id="epcis-import" className="mb-2 text-2xl">
        Import from EPCIS
      </h2>
      <label className="block">
        <span className="mb-1 block">
          An EPCIS 2.0 document (JSON-LD). Nothing is imported before you have seen what it would do.
        </span>
        <input
          type="file"
          accept=".json,.jsonld,application/json,application/ld+json"
          disabled={!hydrated}
          onChange={(event) => void look(event)}
          className="min-h-11 w-full file:mr-3 file:min-h-11 file:cursor-pointer file:rounded-md file:border file:border-edge file:bg-transparent file:px-4 file:font-semibold"
        />
      </label>
      <div role="status" className="mt-4">
        {state.phase === 'reading' && <p>Looking what is in it…</p>}
        {state.phase === 'failed' && <Alert tone="bad">{state.message}</Alert>}
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
          {isDone && outcome === 'created' ? 'was made' : outcomes[outcome]}
          {outcome === 'created' && `, with ${records} records`}.
          {notTaken.length > 0 && (
            <span className="block text-slate text-sm">Not taken from the file: {notTaken.join(', ')}.</span>
          )}
        </li>
      ))}
    </ul>
  )
}
