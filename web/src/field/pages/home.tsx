import type { FieldUser } from '@befaqt/domain/api/field-api'
import { useEffect, useState } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import type { QueuedEntry } from '../database.ts'
import { logOut, type Session } from '../queue/user.ts'
import { go, paths, useRoute } from '../route.ts'
import { useSigning } from '../signing/phone-key.ts'
import type { Signing } from '../signing/signing.ts'
import { QueueList } from './queue-list.tsx'
import { SignInPanel } from './sign-in.tsx'

type Props = { user: FieldUser | null | undefined; session: Session; queue: readonly QueuedEntry[] | null }

/** The first page: large keys, and what is on this phone. */
export function Home({ user, session, queue }: Props) {
  const saved = new URLSearchParams(useRoute().split('?')[1]).get('saved')
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    void navigator.storage?.persist?.()
  }, [])
  if (user === undefined) return <Spinner label="Opening" />
  return (
    <>
      {saved && (
        <Alert tone="good">
          Saved on this phone. Box <b className="font-mono text-xl">{saved}</b>
        </Alert>
      )}
      {user === null ? (
        <SignInPanel intro="Log in once, with coverage. After that you can record without." />
      ) : (
        <nav aria-label="Field" className="grid gap-3">
          <Button variant="primary" className="min-h-20 text-2xl" onClick={() => go(paths.catch)}>
            New catch
          </Button>
          <Button className="min-h-20 text-2xl" onClick={() => go(paths.handover)}>
            Hand over
          </Button>
          <Button variant="outline" className="min-h-16 text-xl" onClick={() => go(paths.reading)}>
            Read a tag
          </Button>
          <Button variant="outline" className="min-h-16 text-xl" onClick={() => go(paths.boxes)}>
            My boxes
          </Button>
        </nav>
      )}
      <InstallHint />
      {user && <SigningNote user={user} />}
      {queue && <QueueList queue={queue} userId={user?.userId ?? null} />}
      {user && session === 'open' && (
        <p className="text-slate">
          {user.fname}, recording for {user.party}.{' '}
          <Button
            variant="link"
            onClick={() =>
              void logOut().then(
                () => go(paths.home), // the address names the box that was saved last
                () => setProblem('Logging out needs coverage.'),
              )
            }
          >
            Log out
          </Button>
        </p>
      )}
      {problem && <Alert tone="warn">{problem}</Alert>}
    </>
  )
}

type InstallEvent = Event & { prompt: () => Promise<unknown> }
const isInstall = (event: Event): event is InstallEvent => 'prompt' in event

/** Offers to put the pages on the home screen, where the browser can. */
function InstallHint() {
  const [offer, setOffer] = useState<InstallEvent | null>(null)
  useEffect(() => {
    const keep = (event: Event) => {
      if (!isInstall(event)) return
      event.preventDefault()
      setOffer(event)
    }
    window.addEventListener('beforeinstallprompt', keep)
    return () => window.removeEventListener('beforeinstallprompt', keep)
  }, [])
  if (offer === null) return null
  return (
    <Button
      variant="outline"
      className="min-h-12"
      onClick={() => {
        setOffer(null)
        void offer.prompt()
      }}
    >
      Add it to the home screen
    </Button>
  )
}

/** Whether this phone signs, where it was ever asked to: what is not signed goes on as typed in. */
function SigningNote({ user }: { user: FieldUser }) {
  const found = useSigning(user)
  return found && <Note signing={found.signing} />
}

function Note({ signing }: { signing: Signing }) {
  if (signing.state === 'none') return null
  if (signing.state === 'signs')
    return <p className="text-slate">This phone signs its readings, as {signing.phone.name}.</p>
  if (signing.state === 'enrolling')
    return <Alert tone="info">This phone signs as soon as the shop has registered its key.</Alert>
  if (signing.state === 'failed')
    return <Alert tone="warn">This phone does not sign: {signing.problem}</Alert>
  return (
    <Alert tone="warn">
      The shop has revoked this phone’s key. Readings are sent unsigned from now on, and shown as typed in.
      Ask the shop for a new link to sign again.
    </Alert>
  )
}
