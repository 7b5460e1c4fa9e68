import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { userMessage } from '#web/api/hydration.ts'

/** Runs one call about an order at a time. The order is read again either way: somebody else may have changed it. */
export function useOrderCall() {
  const { revalidate } = useRevalidator()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const run = async (call: () => Promise<unknown>): Promise<void> => {
    if (busy) return
    setBusy(true)
    setFailure(null)
    await call().catch((error: unknown) => setFailure(userMessage(error)))
    await revalidate()
    setBusy(false)
  }
  return { busy, failure, run }
}
