import { useEffect } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { useViewer } from '#web/root-data.ts'
import { FAVOURITES_KEY, shown, useFavourites } from './shown-favourites.ts'

/** Fetched by who has favourites, or an account that may have some: most visitors have none. */
const keeping = (work: (module: typeof import('./keep-favourites.ts')) => unknown): void =>
  void import('./keep-favourites.ts').then(work).catch(() => undefined)

const isAnyStored = (): boolean => {
  try {
    return window.localStorage.getItem(FAVOURITES_KEY) !== null
  } catch {
    return false
  }
}

/** Keeps the favourites up to date on every page, and says over it what went wrong with them. */
export default function FavouritesSync() {
  const isSignedIn = useViewer() !== null
  const { problem } = useFavourites()
  useEffect(() => {
    const leave = new AbortController()
    const { signal } = leave
    const sync = () => keeping(({ bringInStep }) => signal.aborted || bringInStep(isSignedIn))
    const follow = ({ key }: StorageEvent) => {
      if (key === FAVOURITES_KEY || key === null) keeping(({ readStored }) => readStored())
    }
    if (isSignedIn || shown.get().ready || isAnyStored()) sync()
    window.addEventListener('storage', follow, { signal })
    if (isSignedIn) {
      const comeBack = () => document.visibilityState === 'visible' && sync()
      document.addEventListener('visibilitychange', comeBack, { signal })
      window.addEventListener('online', sync, { signal })
    }
    return () => leave.abort()
  }, [isSignedIn])
  if (problem === '') return null
  return (
    <div className="fixed right-4 bottom-4 left-4 z-40 sm:left-auto sm:w-96">
      <Alert tone="bad" onDismiss={() => shown.set({ problem: '' })} className="shadow-lg">
        {problem}
      </Alert>
    </div>
  )
}
