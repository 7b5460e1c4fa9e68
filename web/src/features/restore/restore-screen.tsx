import { ShopError } from '@befaqt/domain/errors'
import type { RestoreOutcome, RestoreProgress, Upload } from '@befaqt/domain/restore'
import { type ChangeEvent, type FormEvent, useState } from 'react'
import { userMessage } from '#web/api/hydration.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button, buttonClass } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { useRestore } from './use-restore.ts'

const megabytes = (bytes: number): string =>
  `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`

type At = ReturnType<typeof useRestore>

/** What the page of a bare shop's link shows: choosing the file, sending it, restoring, and what came of it. */
export default function Restore({ link }: { link: string }) {
  const at = useRestore(link)
  const { state, refusal, isLost, isRestoring, failure } = at
  if (refusal !== null) return <Refused error={refusal} />
  if (state === null) return isLost ? <Lost /> : <Spinner label="Asking the shop" />
  if (state.outcome?.ok && !isRestoring) return <Restored outcome={state.outcome} />
  if (state.refused !== null)
    return (
      <Alert tone="bad">
        <p>{state.refused}</p>
      </Alert>
    )
  if (isRestoring) return <Progress progress={state.progress} isLost={isLost} />
  return (
    <div className="grid gap-6">
      {isLost && <Lost />}
      {at.isElsewhere && (
        <Alert tone="bad">
          <p>
            Another process of this shop answered, with another DATA_DIR. Run one web process while you
            restore, then begin again.
          </p>
        </Alert>
      )}
      {state.outcome && (
        <Alert tone="bad">
          <p>Nothing was restored, and nothing was changed.</p>
          {state.outcome.words.map((words) => (
            <p key={words} className="wrap-anywhere">
              {words}
            </p>
          ))}
        </Alert>
      )}
      {failure !== null && (
        <Alert tone="bad" onDismiss={at.dismiss}>
          <p>{userMessage(failure)}</p>
        </Alert>
      )}
      {state.upload !== null && state.upload.received === state.upload.bytes ? (
        <Ready at={at} upload={state.upload} />
      ) : (
        <Sending at={at} upload={state.upload} maxBytes={state.maxBytes} freeBytes={state.freeBytes} />
      )}
    </div>
  )
}

const Lost = () => (
  <p role="status" className="text-slate">
    The shop doesn’t answer right now. It is asked again every moment.
  </p>
)

function Refused({ error }: { error: unknown }) {
  const isSignIn = error instanceof ShopError && error.code === 'auth.required'
  return (
    <div className="grid gap-6">
      <Alert tone="bad">
        <p>{userMessage(error)}</p>
        {!isSignIn && (
          <p>The shop prints a new link at each start, for as long as it has no administrator.</p>
        )}
      </Alert>
      <a className={buttonClass('secondary', 'justify-self-start')} href="/user/signin">
        Log in
      </a>
    </div>
  )
}

type SendingProps = { at: At; upload: Upload | null; maxBytes: number; freeBytes: number | null }

/** Choosing the file, and how much of it is there. */
function Sending({ at, upload, maxBytes, freeBytes }: SendingProps) {
  const { sending, isWaiting, busy, failure } = at
  const hydrated = useHydrated()
  const [chosen, setChosen] = useState<File | null>(null)
  const isTaken = failure instanceof ShopError && failure.details.reason === 'other_tab'
  const choose = ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const file = input.files?.[0]
    input.value = ''
    if (!file) return
    setChosen(file)
    void at.send(file, false)
  }
  return (
    <>
      {sending === null && (
        <>
          <p className="text-slate">
            The whole shop as it was: accounts, boxes, orders and pictures. It takes the place of this empty
            one. First the file is sent; before anything changes, all of it is read and checked.
          </p>
          {upload !== null && (
            <p>
              <b className="font-semibold wrap-anywhere">{upload.name || 'A backup'}</b>:{' '}
              {megabytes(upload.received)} of {megabytes(upload.bytes)} are here. Choose the same file to go
              on.
            </p>
          )}
          <label className="block">
            <span className="mb-2 block font-semibold">File of a backup</span>
            <input
              type="file"
              disabled={!hydrated || busy}
              onChange={choose}
              className="min-h-11 w-full file:mr-3 file:min-h-11 file:cursor-pointer file:rounded-md file:border file:border-edge file:bg-transparent file:px-4 file:font-semibold"
            />
          </label>
          <p className="muted">
            At most {megabytes(maxBytes)}
            {freeBytes !== null && `; the shop’s disk has ${megabytes(freeBytes)} free`}. A restored shop
            takes several times the size of its file.
          </p>
          {isTaken && chosen !== null && (
            <Button variant="outline" disabled={busy} onClick={() => void at.send(chosen, true)}>
              Send it from here instead
            </Button>
          )}
          {!isTaken && failure !== null && chosen !== null && (
            <Button variant="outline" disabled={busy} onClick={() => void at.send(chosen, false)}>
              Try again
            </Button>
          )}
        </>
      )}
      {sending !== null && upload !== null && (
        <section aria-label="Being sent" className="grid gap-3">
          <h2 className="text-xl wrap-anywhere">{sending.name}</h2>
          <progress
            aria-label="Sent"
            className="filled h-3 w-full"
            value={upload.received}
            max={Math.max(1, upload.bytes)}
          />
          <p role="status" className="text-slate tabular-nums">
            {megabytes(upload.received)} of {megabytes(upload.bytes)}
            {isWaiting && '. There is no answer right now: it goes on by itself'}.
          </p>
          <p className="muted">
            What is sent is kept: after a break, also of this page, it goes on where it was.
          </p>
          <Button variant="outline" className="justify-self-start" onClick={at.pause}>
            Pause
          </Button>
        </section>
      )}
    </>
  )
}

/** All of the file is there: its passphrase, and the start. */
function Ready({ at, upload }: { at: At; upload: Upload }) {
  const { busy } = at
  const hydrated = useHydrated()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget).get('passphrase')
    void at.restore(upload.id, typeof typed === 'string' ? typed : '')
  }
  return (
    <form aria-label="Restore" onSubmit={submit} className="grid gap-4">
      <p>
        <b className="font-semibold wrap-anywhere">{upload.name || 'The backup'}</b> is here,{' '}
        {megabytes(upload.bytes)}, {upload.encrypted ? 'encrypted' : 'not encrypted'}.
      </p>
      {upload.encrypted && (
        <InputField
          label="Passphrase"
          name="passphrase"
          type="password"
          autoComplete="off"
          required
          hint="With which the backup was made. It is used for this and kept nowhere."
        />
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" disabled={!hydrated} aria-busy={busy}>
          Restore the shop
        </Button>
        <Button variant="outline" disabled={!hydrated || busy} onClick={() => void at.discard()}>
          Take another file
        </Button>
      </div>
    </form>
  )
}

const STEPS = {
  checking: 'Reading all of it, before anything changes',
  restoring: 'Restoring',
  starting: 'The shop is starting',
}

function Progress({ progress, isLost }: { progress: RestoreProgress | null; isLost: boolean }) {
  const count = (n: number): string => n.toLocaleString('en')
  const { step, rows, about, objects } = progress ?? { step: 'checking', rows: 0, about: 0, objects: 0 }
  return (
    <section aria-label="Being restored" className="grid gap-3">
      <h2 className="text-xl">{STEPS[step]}</h2>
      <progress
        aria-label="Rows"
        className="filled h-3 w-full"
        {...(about > 0 && { value: Math.min(rows, about), max: about })}
      />
      <p role="status" className="text-slate tabular-nums">
        {about > 0 ? `${count(rows)} rows of about ${count(about)}, ${count(objects)} files.` : 'It begins.'}
        {isLost && ' The shop doesn’t answer right now: it stops and starts again in between.'}
      </p>
      <p className="muted">It goes on when you leave this page.</p>
    </section>
  )
}

function Restored({ outcome }: { outcome: RestoreOutcome }) {
  return (
    <div className="grid gap-4">
      <Alert tone="good">
        <p className="text-lg">The shop is restored.</p>
      </Alert>
      <ul className="grid gap-2">
        {outcome.words.map((words) => (
          <li key={words} className="wrap-anywhere">
            {words}
          </li>
        ))}
      </ul>
      <p className="text-slate">Log in with an account of it: the one of before is gone.</p>
      {/* Not a link of the router: the shop behind this page is another now. */}
      <a className={buttonClass('primary', 'justify-self-start')} href="/user/signin">
        Log in
      </a>
    </div>
  )
}
