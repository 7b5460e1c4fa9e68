import { useRef, useState } from 'react'
import { useRevalidator } from 'react-router'

/**
 * Calls that change something of the page, one at a time: what is pressed again meanwhile is the same press. The page
 * is read anew after each; `failure` is what the last one threw.
 */
export function useOneCall() {
  const running = useRef(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const { revalidate } = useRevalidator()
  const run = async (call: () => Promise<unknown>): Promise<void> => {
    if (running.current) return
    running.current = true
    setBusy(true)
    setFailure(null)
    await call().catch(setFailure)
    await revalidate()
    running.current = false
    setBusy(false)
  }
  return {
    busy,
    failure,
    dismiss: () => setFailure(null),
    run: (call: () => Promise<unknown>) => void run(call),
  }
}
