import type { ComplaintView } from '@befaqt/domain/api/complaint-api'
import { moveComplaint } from '@befaqt/domain/api/endpoints/order-page'
import { MAX_WORDS } from '@befaqt/domain/complaint'
import { Suspense, useRef, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { useRevalidatingCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { TextAreaField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { Moment } from '#web/time/time.tsx'
import { type ActionProps, callInput, type OrderData } from '../order-calls.ts'
import { ComplaintMark, EatNoMore, Told } from './told.tsx'

const ComplaintForm = lazyPart(() => import('./complaint-form.tsx'))

type Props = ActionProps & { told: OrderData['complaints'] }

/** What its buyer said is wrong with an order, and the way to say it while there is time. */
export default function Complaints({ told, ...props }: Props) {
  const { busy, failure, run, dismiss } = useRevalidatingCall()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const hydrated = useHydrated()
  const [lastGood, setLastGood] = useState(told.value)
  if (told.value !== null && told.value !== lastGood) setLastGood(told.value)
  const shownNow = told.value ?? lastGood
  if (shownNow === null) return <p className="no-print">{told.error}</p>
  const { open: mayComplain, until, complaints } = shownNow
  const shown = open && mayComplain
  if (!mayComplain && complaints.length === 0 && failure === null) return null
  const close = () => {
    setOpen(false)
    dismiss()
    requestAnimationFrame(() => (button.current ?? heading.current)?.focus())
  }
  return (
    <section aria-labelledby="complaints" id="complaint" className="no-print grid gap-5">
      <h2 id="complaints" ref={heading} tabIndex={-1} className="text-2xl">
        Something wrong with your order?
      </h2>
      {failure !== null && !shown && <Alert tone="bad">Error: {userMessage(failure)}</Alert>}
      {complaints.map((complaint) => (
        <OneComplaint key={complaint._id} {...props} complaint={complaint} busy={busy} run={run} />
      ))}
      {shown ? (
        <Suspense fallback={<p role="status">One moment…</p>}>
          <ComplaintForm {...props} busy={busy} failure={failure} run={run} onClose={close} />
        </Suspense>
      ) : (
        mayComplain && (
          <div className="grid justify-items-start gap-2">
            <p className="text-slate">
              Tell us and show us, until <Moment at={until} />. Later you can still call or write: your rights
              do not end then.
            </p>
            <Button ref={button} variant="outline" disabled={!hydrated} onClick={() => setOpen(true)}>
              Say what is wrong
            </Button>
          </div>
        )
      )}
    </section>
  )
}

type OneProps = ActionProps & {
  complaint: ComplaintView
  busy: boolean
  run: (call: () => Promise<unknown>) => Promise<boolean>
}

function OneComplaint({ complaint, busy, run, ...props }: OneProps) {
  const { _id, status, acts, createdAt, until, version } = complaint
  const [replying, setReplying] = useState(false)
  const [words, setWords] = useState('')
  const hydrated = useHydrated()
  const { params, query } = callInput(props)
  const move = (body: { act: 'withdraw' } | { act: 'reopen'; words: string }) =>
    run(() => callApi(moveComplaint, { params: { ...params, complaint: _id }, query, body, version }))
  return (
    <article className="grid gap-4 rounded-lg border border-line p-4 sm:p-5">
      <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-lg">
        <span>
          You told us <Moment at={createdAt} />
        </span>
        <ComplaintMark status={status} />
      </h3>
      {status === 'OPEN' && <EatNoMore wrong={complaint.wrong} />}
      <Told complaint={complaint} order={props.order} linkKey={props.linkKey} buyer="You" shop="The shop" />
      {acts.includes('withdraw') && (
        <Button
          variant="outline"
          className="justify-self-start"
          disabled={!hydrated}
          aria-busy={busy}
          onClick={() => void move({ act: 'withdraw' })}
        >
          Take it back
        </Button>
      )}
      {acts.includes('reopen') && !replying && (
        <div className="grid justify-items-start gap-2">
          <Button variant="outline" disabled={!hydrated} onClick={() => setReplying(true)}>
            {status === 'WITHDRAWN' ? 'Say it again after all' : 'That is not enough'}
          </Button>
          <p className="muted">
            Until <Moment at={until} />
          </p>
        </div>
      )}
      {acts.includes('reopen') && replying && (
        <form
          noValidate
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            void move({ act: 'reopen', words }).then((isDone) => isDone && setReplying(false))
          }}
        >
          <TextAreaField
            label="What is still wrong?"
            rows={3}
            maxLength={MAX_WORDS}
            value={words}
            onChange={({ currentTarget }) => setWords(currentTarget.value)}
          />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" aria-busy={busy}>
              {busy ? 'One moment…' : 'Send'}
            </Button>
            <Button variant="outline" onClick={() => setReplying(false)}>
              Leave it
            </Button>
          </div>
        </form>
      )}
    </article>
  )
}
