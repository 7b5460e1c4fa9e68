import { useState } from 'react'
import { useRevalidator } from 'react-router'

/** Runs one action at a time, says what came of it, and reads the page again. */
export function useAction() {
  const { revalidate } = useRevalidator()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [message, setMessage] = useState('')
  /** @returns whether it was done */
  const run = async (work: () => Promise<string>): Promise<boolean> => {
    setBusy(true)
    setFailure(null)
    try {
      setMessage(await work())
      await revalidate()
      return true
    } catch (error) {
      setFailure(error)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, failure, message, run, dismiss: () => setFailure(null) }
}
