import { useState } from 'react'
import { useCall } from '#web/api/use-call.ts'
import { notFetched } from './schema-of.ts'

/**
 * A part of the page whose script is fetched when somebody first wants it.
 * @param load imports it
 */
export function useLatePart<Part>(load: () => Promise<Part>) {
  const [part, setPart] = useState<Part | null>(null)
  const { run, ...call } = useCall()
  const fetchPart = async (): Promise<void> => {
    const fetched = await load().catch((cause: unknown) => {
      throw notFetched('This', cause)
    })
    setPart(fetched)
  }
  return { ...call, part, fetch: () => void (part ?? run(fetchPart)) }
}
