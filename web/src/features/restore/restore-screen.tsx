import { ShopError } from '@befaqt/domain/errors'
import type { RestoreOutcome, RestoreProgress } from '@befaqt/domain/restore'
import { userMessage } from '#web/api/hydration.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button, buttonClass } from '#web/components/button.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { Ready, Sending } from './send-file.tsx'
import { useFocus } from './use-focus.ts'
import { type RestoreAt, useRestore } from './use-restore.ts'

/** What the page of a bare shop's link shows: choosing the file, sending it, restoring, and what came of it. */
export default function Restore({ link }: { link: string }) {
  const at = useRestore(link)
  const { state, refusal, isRestoring } = at
  if (refusal !== null) return isRestoring ? <Gone /> : <Refused error={refusal} />
  if (state?.outcome?.ok && !isRestoring) return <Restored at={at} outcome={state.outcome} />
  return (
    <div className="grid gap-6">
      {at.isElsewhere && <Elsewhere at={at} />}
      <Now at={at} />
    </div>
  )
}

/** What is so at the process that this page has to do with. */
function Now({ at }: { at: RestoreAt }) {
  const { state, isLost, isElsewhere, isRestoring, failure } = at
  if (state === null) return isLost ? <Lost /> : isElsewhere ? null : <Spinner label="Asking the shop" />
  if (state.refused !== null)
    return (
      <Alert tone="bad">
        <p>{state.refused}</p>
      </Alert>
    )
  if (state.outcome?.isOpen) return <Open outcome={state.outcome} />
  if (isRestoring) return <Progress at={at} progress={state.progress} />
  return (
    <>
      {isLost && <Lost />}
      {state.outcome && (
        <Alert tone="bad">
          <p className="mb-1 font-semibold">Nothing was restored, and nothing was changed.</p>
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
    </>
  )
}

/** A process answers that knows nothing of what this page does. */
function Elsewhere({ at: { isRestoring, sending, beginAgain } }: { at: RestoreAt }) {
  return (
    <Alert tone="warn">
      <p>
        Another process of this shop answers too. It has another DATA_DIR, and knows nothing of what is sent
        or restored here. Run one web process while you restore.
      </p>
      {!isRestoring && sending === null && (
        <Button variant="outline" className="mt-3" onClick={beginAgain}>
          Begin again
        </Button>
      )}
    </Alert>
  )
}

/** It was ended where only the next start knows on which side. */
const Open = ({ outcome }: { outcome: RestoreOutcome }) => (
  <Alert tone="warn">
    <p className="mb-1 font-semibold">Whether the shop is restored is not known yet.</p>
    {outcome.words.map((words) => (
      <p key={words} className="wrap-anywhere">
        {words}
      </p>
    ))}
  </Alert>
)

/** Somebody else began it: what came of it is told to their tab alone. */
const Gone = () => (
  <div className="grid gap-6">
    <Alert tone="info">
      <p>
        A backup was being restored, and the shop knows neither this link nor your login any more: it is
        another shop now. Log in with an account of it.
      </p>
    </Alert>
    <a className={buttonClass('secondary', 'justify-self-start')} href="/user/signin">
      Log in
    </a>
  </div>
)

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

const STEPS = {
  checking: 'Reading all of it, before anything changes',
  restoring: 'Restoring',
  starting: 'The shop is starting',
}

function Progress({ at, progress }: { at: RestoreAt; progress: RestoreProgress | null }) {
  const heading = useFocus<HTMLHeadingElement>(at)
  const count = (n: number): string => n.toLocaleString('en')
  const { step, rows, about, objects } = progress ?? { step: 'checking', rows: 0, about: 0, objects: 0 }
  return (
    <section aria-label="Being restored" className="grid gap-3">
      <h2 ref={heading} tabIndex={-1} className="text-xl">
        {STEPS[step]}
      </h2>
      <progress
        aria-label="Rows"
        className="filled h-3 w-full"
        {...(about > 0 && { value: Math.min(rows, about), max: about })}
      />
      <p role="status" className="text-slate tabular-nums">
        {about > 0 ? `${count(rows)} rows of about ${count(about)}, ${count(objects)} files.` : 'It begins.'}
        {at.isLost && ' The shop doesn’t answer right now: it stops and starts again in between.'}
      </p>
      <p className="muted">It goes on when you leave this page.</p>
    </section>
  )
}

function Restored({ at, outcome }: { at: RestoreAt; outcome: RestoreOutcome }) {
  const logIn = useFocus<HTMLAnchorElement>(at)
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
      <a ref={logIn} className={buttonClass('primary', 'justify-self-start')} href="/user/signin">
        Log in
      </a>
    </div>
  )
}
