import type { FieldUser } from '@befaqt/domain/api/field-api'
import { Component, type ReactNode, useEffect } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { useOnline } from '#web/components/use-online.ts'
import { BoxesPage } from './pages/boxes-page.tsx'
import { CatchPage } from './pages/catch-page.tsx'
import { HandoverPage } from './pages/handover-page.tsx'
import { Home } from './pages/home.tsx'
import { PhonePage } from './pages/phone-page.tsx'
import { ReadingPage } from './pages/reading-page.tsx'
import { JoinPage, SignInPanel } from './pages/sign-in.tsx'
import { useQueue } from './queue/queue.ts'
import { useUser } from './queue/user.ts'
import { go, paths, useRoute } from './route.ts'

const loadSigning = () => import('./signing/sign.ts')

/** Fetches what is not shown yet, so that a page that was opened with coverage goes on without. */
const FETCH_REST_MS = 1_000

/**
 * The pages for the phones of suppliers. All of them are in one script: each has 4 KB, and one that is fetched when it is
 * first opened is missing just where they are made for.
 */
export function App() {
  const route = useRoute()
  const { user, session } = useUser()
  const { queue, problem } = useQueue()
  const online = useOnline()
  useEffect(() => {
    const timer = setTimeout(() => {
      loadSigning().catch(() => undefined)
    }, FETCH_REST_MS)
    return () => clearTimeout(timer)
  }, [])
  const waiting =
    queue?.filter(({ owner, state }) => owner === user?.userId && state === 'waiting').length ?? 0
  return (
    <>
      <header className="on-night sticky top-0 z-20 bg-night text-on-night">
        <div className="mx-auto flex min-h-14 max-w-xl items-center justify-between gap-3 px-4">
          <button type="button" className="min-h-11 font-semibold text-lg" onClick={() => go(paths.home)}>
            {route === paths.home ? 'BeFAQT field' : '‹ Field'}
          </button>
          <span role="status" className="text-sm">
            {online
              ? waiting > 0
                ? `${waiting} to send`
                : 'online'
              : `offline${waiting > 0 ? `, ${waiting} kept` : ''}`}
          </span>
        </div>
      </header>
      <main className="mx-auto grid max-w-xl gap-6 px-4 py-5">
        {session === 'ended' && user && (
          <>
            <Alert tone="warn">
              You are logged out. What is waiting stays on this phone, and you can go on recording: log in as{' '}
              {user.fname} to send it.
            </Alert>
            {route === paths.home && <SignInPanel intro="Log in to send what is waiting." />}
          </>
        )}
        {session === 'not a supplier' && (
          <Alert tone="bad">
            The account that is logged in here records no catches. Log in as a supplier.
          </Alert>
        )}
        <h1 className="text-3xl">{titleOf(route)}</h1>
        {problem !== null && (
          <Alert tone="bad">
            What waits on this phone can’t be read
            {problem === 'blocked'
              ? ', because another tab has it open. Close the other tabs of this page.'
              : ' just now. It is not lost: reload this page.'}
          </Alert>
        )}
        <Screen route={route} user={user} home={<Home user={user} session={session} queue={queue} />} />
      </main>
    </>
  )
}

/** The heading of a page, by its path. */
function titleOf(route: string): string {
  const [path = ''] = route.split('?')
  if (path.startsWith(paths.join)) return 'Set up access'
  if (path.startsWith(paths.phone)) return 'Sign with this phone'
  return titles[path] ?? 'In the field'
}

const titles: Readonly<Record<string, string>> = {
  [paths.catch]: 'New catch',
  [paths.handover]: 'Hand over',
  [paths.reading]: 'Read a tag',
  [paths.boxes]: 'My boxes',
}

type ScreenProps = { route: string; user: FieldUser | null | undefined; home: ReactNode }

function Screen({ route, user, home }: ScreenProps) {
  const [path = '', search = ''] = route.split('?')
  const params = new URLSearchParams(search)
  if (path.startsWith(paths.join))
    return <JoinPage token={decodeURIComponent(path.slice(paths.join.length))} />
  if (!user) return home
  if (path.startsWith(paths.phone))
    return <PhonePage user={user} token={decodeURIComponent(path.slice(paths.phone.length))} />
  if (path === paths.catch) return <CatchPage key={route} user={user} mend={params.get('mend')} />
  if (path === paths.handover)
    return <HandoverPage key={route} user={user} mend={params.get('mend')} box={params.get('box') ?? ''} />
  if (path === paths.reading)
    return <ReadingPage key={route} user={user} mend={params.get('mend')} box={params.get('box') ?? ''} />
  if (path === paths.boxes) return <BoxesPage user={user} />
  return home
}

type BoundaryProps = { children: ReactNode }

/** In place of pages that fail: what waits is safe, and the way on. A white page at sea would say that all is lost. */
export class Boundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    const again = (): void => this.setState({ failed: false })
    return (
      <main className="mx-auto grid max-w-xl gap-6 px-4 py-10">
        <h1 className="text-3xl">Something broke</h1>
        <Alert tone="bad">This page could not be shown. What was saved on this phone is still there.</Alert>
        <Button variant="primary" className="min-h-14 text-lg" onClick={again}>
          Try again
        </Button>
        <Button
          variant="outline"
          className="min-h-14 text-lg"
          onClick={() => {
            go(paths.home)
            again()
          }}
        >
          Back to the first page
        </Button>
      </main>
    )
  }
}
