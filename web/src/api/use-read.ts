import { useCallback, useEffect, useRef, useState } from 'react'

/**
 * What a part of a page reads by itself when it is shown, and again when `read` is another function or `again` is called.
 * The answer to what was asked last counts, and stays while another is awaited, or when that fails.
 * @param read made with `useCallback`
 */
export function useRead<Value>(read: () => Promise<Value>) {
  const [value, setValue] = useState<Value | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const turn = useRef(0)
  const again = useCallback(() => {
    turn.current += 1
    const mine = turn.current
    read().then(
      (found) => {
        if (mine !== turn.current) return
        setValue(found)
        setFailure(null)
      },
      (error: unknown) => {
        if (mine === turn.current) setFailure(error)
      },
    )
  }, [read])
  useEffect(() => {
    again()
    return () => {
      turn.current += 1
    }
  }, [again])
  return { value, failure, again }
}
