import { useState } from 'react'
import { notFetched } from './schema-of.ts'

/**
 * A part of the page whose script is fetched when somebody first wants it.
 * @param load imports it
 */
export function useLatePart<Part>(load: () => Promise<Part>) {
  const [part, setPart] = useState<Part | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const fetchPart = async (): Promise<void> => {
    if (part !== null) return
    setBusy(true)
    setFailure(null)
    try {
      setPart(await load())
    } catch (cause) {
      setFailure(notFetched('This', cause))
    } finally {
      setBusy(false)
    }
  }
  return { part, busy, failure, dismiss: () => setFailure(null), fetch: () => void fetchPart() }
}
