import { ShopError } from '@befaqt/domain/errors'
import { useCallback, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'

/** How a call of a screen goes, and how to make it: what `useCall` gives. */
type Call = ReturnType<typeof useCall>

/**
 * Calls of a screen, one at a time: what is pressed again meanwhile is the same press. `failure` is what the last one
 * threw, null before and after one that was answered.
 */
export function useCall() {
  const running = useRef(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  /** @returns whether it was done; false too for what was not begun */
  const run = useCallback(async (call: () => Promise<unknown>): Promise<boolean> => {
    if (running.current) return false
    running.current = true
    setBusy(true)
    setFailure(null)
    try {
      await call()
      return true
    } catch (error) {
      setFailure(error)
      return false
    } finally {
      running.current = false
      setBusy(false)
    }
  }, [])
  const dismiss = useCallback(() => setFailure(null), [])
  return { busy, failure, run, dismiss }
}

/**
 * Calls after which the page is read anew, also after one that was refused: somebody else may have changed it. Not where
 * the shop could not be reached: that would fail, too, and take what is typed with the page.
 */
export function useRevalidatingCall(): Call {
  const { revalidate } = useRevalidator()
  const { run, ...call } = useCall()
  const runAndRead = useCallback(
    (work: () => Promise<unknown>) =>
      run(async () => {
        try {
          await work()
        } catch (error) {
          if (error instanceof ShopError && error.code !== 'unavailable') await revalidate()
          throw error
        }
        await revalidate()
      }),
    [run, revalidate],
  )
  return { ...call, run: runAndRead }
}
