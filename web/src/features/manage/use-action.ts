import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { useCall } from '#web/api/use-call.ts'
import { useHydrated } from '#web/components/hydration.tsx'

/** What `useAction` gives. */
export type Action = ReturnType<typeof useAction>

/** What is done on a screen, one thing at a time; after each its `message` says what came of it, and the page is read again. */
export function useAction() {
  const { revalidate } = useRevalidator()
  const hydrated = useHydrated()
  const { busy, failure, run, dismiss } = useCall()
  const [message, setMessage] = useState('')
  /** Something was done by a form or dialog of its own. */
  const done = (what: string): Promise<void> => {
    setMessage(what)
    return revalidate()
  }
  /** @param work rejects with what is shown, and says what it did @returns whether it was done */
  const act = (work: () => Promise<string>): Promise<boolean> => run(async () => done(await work()))
  return {
    failure,
    message,
    run: act,
    done: (what: string) => void done(what),
    /** As `done`; resolves when the page was read again. */
    doneAndRead: done,
    dismiss,
    busy,
    ready: hydrated,
  }
}
