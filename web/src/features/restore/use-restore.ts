import type { RestoreState } from '@befaqt/domain/restore'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useCall } from '#web/api/use-call.ts'
import { begin, isPassing, readState, remove, sendRest, start } from './restore-calls.ts'

const LOOK_MS = 1_500

/** What the page of a bare shop knows and does. @param link of its address */
export function useRestore(link: string) {
  const [state, setState] = useState<RestoreState | null>(null)
  const [refusal, setRefusal] = useState<unknown>(null)
  const [isLost, setLost] = useState(false)
  const [isElsewhere, setElsewhere] = useState(false)
  const [isRestoring, setRestoring] = useState(false)
  const [sending, setSending] = useState<File | null>(null)
  const [isWaiting, setWaiting] = useState(false)
  const stop = useRef(new AbortController())
  const place = useRef<string | null>(null)
  const { busy, failure, run, dismiss } = useCall()

  const look = useCallback(async (): Promise<RestoreState | null> => {
    try {
      const found = await readState(link)
      setElsewhere(place.current !== null && place.current !== found.place)
      place.current ??= found.place
      setLost(false)
      setRefusal(null)
      setState(found)
      return found
    } catch (error) {
      if (isPassing(error)) setLost(true)
      else setRefusal(error)
      return null
    }
  }, [link])

  useEffect(() => void look(), [look])
  // Somebody else may restore, or this page was loaded again.
  useEffect(() => {
    if (state?.progress) setRestoring(true)
  }, [state])
  useEffect(() => {
    if (!isRestoring && !isLost) return
    const timer = setInterval(() => {
      void look().then((found) => {
        if (found?.outcome && !found.progress) setRestoring(false)
      })
    }, LOOK_MS)
    return () => clearInterval(timer)
  }, [isRestoring, isLost, look])
  useEffect(() => () => stop.current.abort(), [])

  const send = (file: File, takeOver: boolean): Promise<boolean> =>
    run(async () => {
      stop.current = new AbortController()
      const begun = await begin(link, file, takeOver)
      setSending(file)
      const received = (upload: RestoreState['upload']): void =>
        setState((before) => before && { ...before, upload, outcome: null })
      received(begun)
      try {
        await sendRest(link, file, begun, { received, waiting: setWaiting }, stop.current.signal)
      } finally {
        setSending(null)
        setWaiting(false)
      }
    })
  const pause = (): void => stop.current.abort()
  const discard = (): Promise<boolean> =>
    run(async () => {
      await remove(link)
      await look()
    })
  const restore = (id: string, passphrase: string): Promise<boolean> =>
    run(async () => {
      await start(link, id, passphrase)
      setState((before) => before && { ...before, outcome: null })
      setRestoring(true)
    })
  return {
    ...{ state, refusal, isLost, isElsewhere, isRestoring, sending, isWaiting, busy, failure },
    ...{ dismiss, send, pause, discard, restore },
  }
}
