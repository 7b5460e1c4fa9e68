import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useBlocker } from 'react-router'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'

type Guard = {
  /** Says whether the form of this name holds something that is not saved. */
  mark: (form: string, unsaved: boolean) => void
  /** Goes on at once, or after the manager agreed to lose what the form holds. */
  leave: (form: string, goOn: () => void) => void
}

const GuardContext = createContext<Guard>({ mark: () => undefined, leave: (_, goOn) => goOn() })

/** The guard of the page's unsaved edits. */
export const useUnsaved = (): Guard => useContext(GuardContext)

/** Asks before a tab with unsaved edits is closed. */
function useAskBeforeClosing(unsaved: { current: Set<string> }): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (unsaved.current.size > 0) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [unsaved])
}

/** Keeps what is typed on this page from being lost by a link, a filter, another row or a closed tab. */
export function UnsavedGuard({ children }: { children: ReactNode }) {
  const unsaved = useRef(new Set<string>())
  const [waiting, setWaiting] = useState<{ form: string; goOn: () => void } | null>(null)
  const blocker = useBlocker(() => unsaved.current.size > 0)
  useAskBeforeClosing(unsaved)
  const mark = useCallback((form: string, is: boolean) => {
    if (is) unsaved.current.add(form)
    else unsaved.current.delete(form)
  }, [])
  const guard = useMemo(
    (): Guard => ({
      mark,
      leave: (form, goOn) => {
        if (unsaved.current.has(form)) setWaiting({ form, goOn })
        else goOn()
      },
    }),
    [mark],
  )
  const stay = () => {
    setWaiting(null)
    if (blocker.state === 'blocked') blocker.reset()
  }
  const discard = () => {
    if (waiting) {
      mark(waiting.form, false)
      setWaiting(null)
      waiting.goOn()
    }
    if (blocker.state === 'blocked') {
      unsaved.current.clear()
      blocker.proceed()
    }
  }
  return (
    <GuardContext value={guard}>
      {children}
      <Dialog
        open={waiting !== null || blocker.state === 'blocked'}
        title="Leave without saving?"
        onClose={stay}
      >
        <p className="mb-6">What you typed and did not save would be lost.</p>
        <div className="flex flex-wrap gap-3">
          <Button onClick={stay}>Keep editing</Button>
          <Button look="quiet" onClick={discard}>
            Discard changes
          </Button>
        </div>
      </Dialog>
    </GuardContext>
  )
}
