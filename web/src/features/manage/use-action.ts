import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { useHydrated } from '#web/components/hydration.tsx'

/** What `useAction` gives. */
export type Action = ReturnType<typeof useAction>

/** What is done on a screen, one thing at a time; after each its `message` says what came of it, and the page is read again. */
export function useAction() {
  const { revalidate } = useRevalidator()
  const hydrated = useHydrated()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [message, setMessage] = useState('')
  /** Something was done by a form or dialog of its own. */
  const done = (what: string): Promise<void> => {
    setMessage(what)
    return revalidate()
  }
  /** @param work rejects with what is shown, and says what it did @returns whether it was done */
  const run = async (work: () => Promise<string>): Promise<boolean> => {
    setBusy(true)
    setFailure(null)
    try {
      await done(await work())
      return true
    } catch (error) {
      setFailure(error)
      return false
    } finally {
      setBusy(false)
    }
  }
  return {
    failure,
    message,
    run,
    done: (what: string) => void done(what),
    dismiss: () => setFailure(null),
    ready: hydrated && !busy,
  }
}
