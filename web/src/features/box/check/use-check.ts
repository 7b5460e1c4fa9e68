import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react'
import { checkFileProof, checkShopProof, type Tell } from './check-proof.ts'
import { type CheckEvent, type CheckState, nextCheck } from './check-state.ts'
import type { ShownPage } from './page-match.ts'

/** The visitor's check of one box, and what can be done with it. */
export type Check = {
  /** How the page's own history stands: what the head and the record table show. */
  shop: CheckState
  /** How the file stands that the visitor picked last; null until one is picked, and after checking the shop again. */
  file: CheckState | null
  /** Fetches the proof and checks it. `rpc`: the node to ask, null for the one that the proof names. */
  checkShop: (rpc: string | null) => void
  /** Checks a proof that the visitor kept as a file. It changes nothing about the page's own verdict. */
  checkFile: (file: File, rpc: string | null) => void
}

const waiting: CheckState = { phase: 'waiting' }

/** A check's state, and a way to start over that silences whatever was still running. */
function useOneCheck(): [CheckState, begin: () => Tell] {
  const [state, dispatch] = useReducer(nextCheck, waiting)
  const newest = useRef(0)
  const begin = useCallback((): Tell => {
    newest.current += 1
    const mine = newest.current
    return (event: CheckEvent) => {
      if (mine === newest.current) dispatch(event)
    }
  }, [])
  return [state, begin]
}

/**
 * Runs the check of a box in this browser, the first time by itself when the page has nothing better to do.
 * @param page what it shows, to be compared with what the records say
 * @param contract the contract to trust, null for the one that the proof names
 */
export function useCheck(page: ShownPage, contract: string | null): Check {
  const [shop, beginShop] = useOneCheck()
  const [file, beginFile] = useOneCheck()
  const checkShop = useCallback(
    (rpc: string | null) => {
      beginFile()({ type: 'forget' })
      void checkShopProof(page.box.boxID, { rpc, contract, page }, beginShop())
    },
    [page, contract, beginShop, beginFile],
  )
  const checkFile = useCallback(
    (picked: File, rpc: string | null) =>
      void checkFileProof(picked, { rpc, contract, page: null }, beginFile()),
    [contract, beginFile],
  )
  useWhenIdle(useCallback(() => checkShop(null), [checkShop]))
  return useMemo(
    () => ({ shop, file: file.phase === 'waiting' ? null : file, checkShop, checkFile }),
    [shop, file, checkShop, checkFile],
  )
}

/** Calls `start` once the page is idle, and again when `start` changes (another box). */
function useWhenIdle(start: () => void): void {
  useEffect(() => {
    if (typeof window.requestIdleCallback !== 'function') {
      const timer = window.setTimeout(start, 200)
      return () => window.clearTimeout(timer)
    }
    const handle = window.requestIdleCallback(start, { timeout: 3000 })
    return () => window.cancelIdleCallback(handle)
  }, [start])
}
