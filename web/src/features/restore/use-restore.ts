import { ShopError } from '@befaqt/domain/errors'
import type { RestoreState } from '@befaqt/domain/restore'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useCall } from '#web/api/use-call.ts'
import {
  begin,
  forgetPlace,
  isOurPlace,
  isPassing,
  readState,
  remove,
  sendRest,
  start,
} from './restore-calls.ts'

const LOOK_MS = 1_500

/** What the page of a bare shop knows and does. @param link of its address */
export function useRestore(link: string) {
  const [state, setState] = useState<RestoreState | null>(null)
  const [refusal, setRefusal] = useState<unknown>(null)
  const [isLost, setLost] = useState(false)
  /** A process with another DATA_DIR answered; what it says of itself is not of this restore. */
  const [isElsewhere, setElsewhere] = useState(false)
  const [isRestoring, setRestoring] = useState(false)
  const [sending, setSending] = useState<File | null>(null)
  const [isWaiting, setWaiting] = useState(false)
  const [isPausing, setPausing] = useState(false)
  const stop = useRef(new AbortController())
  /** Something was pressed: what takes its place may have the focus. */
  const wasUsed = useRef(false)
  const { busy, failure, run, dismiss } = useCall()

  const look = useCallback(async (): Promise<void> => {
    try {
      const found = await readState(link)
      setLost(false)
      if (!isOurPlace(found.place)) return setElsewhere(true)
      setRefusal(null)
      setState(found)
      // Somebody else may restore, or this page was loaded again.
      if (found.progress) setRestoring(true)
      else if (found.outcome) setRestoring(found.outcome.isOpen === true)
    } catch (error) {
      setLost(isPassing(error))
      if (isPassing(error)) return
      if (error instanceof ShopError && !isOurPlace(error.details.place)) setElsewhere(true)
      else setRefusal(error)
    }
  }, [link])

  useEffect(() => void look(), [look])
  const isAsking = refusal === null && (isRestoring || isLost || (isElsewhere && state === null))
  useEffect(() => {
    if (!isAsking) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    // One after the other: an answer that is late must not take the place of a newer one.
    const next = (): void => {
      timer = setTimeout(async () => {
        await look()
        if (!isOver) next()
      }, LOOK_MS)
    }
    next()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isAsking, look])
  useEffect(() => () => stop.current.abort(), [])

  /** What was refused is followed by a look: somebody else may have changed what this page shows. */
  const act = (work: () => Promise<void>): Promise<boolean> => {
    wasUsed.current = true
    return run(() =>
      work().catch(async (error: unknown) => {
        if (error instanceof ShopError && error.details.reason === 'place') return setElsewhere(true)
        if (!isPassing(error)) await look()
        throw error
      }),
    )
  }
  const send = (file: File, takeOver: boolean): Promise<boolean> =>
    act(async () => {
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
        setPausing(false)
      }
    })
  const pause = (): void => {
    setPausing(true)
    stop.current.abort()
  }
  const discard = (): Promise<boolean> =>
    act(async () => {
      await remove(link)
      await look()
    })
  const restore = (id: string, passphrase: string): Promise<boolean> =>
    act(async () => {
      await start(link, id, passphrase)
      setState((before) => before && { ...before, progress: null, outcome: null })
      setRestoring(true)
    })
  /** With whichever process answers next. */
  const beginAgain = (): void => {
    forgetPlace()
    setElsewhere(false)
    setRestoring(false)
    setState(null)
    void look()
  }
  return {
    ...{ state, refusal, isLost, isElsewhere, isRestoring, sending, isWaiting, isPausing, busy, failure },
    ...{ dismiss, send, pause, discard, restore, beginAgain, wasUsed },
  }
}

export type RestoreAt = ReturnType<typeof useRestore>
