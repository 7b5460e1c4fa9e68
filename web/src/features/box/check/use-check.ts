import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { checkFileProof, checkShopProof, type Listener } from './check-proof.ts'
import { type CheckState, type Found, nextCheck } from './check-state.ts'
import { CheckWorker } from './check-thread.ts'
import { keepNodes, keptNodes } from './own-nodes.ts'
import type { ShownPage } from './proven-page.ts'
import { rememberedBoxes, rememberState } from './remembered-boxes.ts'
import type { Tell } from './run-check.ts'
import { type CheckedFiles, useFiles } from './use-files.ts'

/** The visitor's check of one box, and what can be done with it. */
export type Check = {
  /** The state of the page's own history, shown by the head and the record table. */
  shop: CheckState
  /**
   * The state of the file that the visitor picked last; null until one is picked, and after checking the shop again.
   */
  file: CheckState | null
  /** Pictures and data files that the records name. */
  files: CheckedFiles
  /** Fetches the proof and checks it. `nodes`: those to ask from now on, none for the one that the proof names. */
  checkShop: (nodes?: readonly string[]) => void
  /** Checks a proof that the visitor kept as a file. It changes nothing about the page's own verdict. */
  checkFile: (file: File, nodes: readonly string[]) => void
}

/** The nodes that were asked answered, and for the chain of the box: they are of use for others. */
const hasAnswered = ({ asked, result }: Found): boolean =>
  asked.chainId !== null && !result.reasons.some(({ code }) => code === 'other_chain')

const waiting: CheckState = { phase: 'waiting' }

/** A check's state, and a way to start over, which ends whatever was still running; so does leaving the page. */
function useOneCheck(): [CheckState, begin: () => Listener] {
  const [state, dispatch] = useReducer(nextCheck, waiting)
  const running = useRef<AbortController>(null)
  const begin = useCallback((): Listener => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    const tell: Tell = (event) => {
      if (!signal.aborted) dispatch(event)
    }
    return { tell, signal }
  }, [])
  useEffect(() => () => running.current?.abort(), [])
  return [state, begin]
}

/** Runs one after the other, all in the page's one worker. */
function useQueue(): (run: (worker: CheckWorker) => Promise<void>) => void {
  const last = useRef(Promise.resolve())
  const worker = useRef<CheckWorker>(null)
  useEffect(() => () => worker.current?.end(), [])
  return useCallback((run) => {
    worker.current ??= new CheckWorker()
    const thread = worker.current
    last.current = last.current.then(() => run(thread))
  }, [])
}

/**
 * Runs the check of a box in this browser, the first time by itself when the page has nothing better to do.
 * @param page what it shows, to be compared with what the records say
 * @param contract the contract to trust, null for the one that the proof names
 * @param boxID the box of the address, of which proof and page have to be
 */
export function useCheck(page: ShownPage, contract: string | null, boxID: string): Check {
  const [shop, beginShop] = useOneCheck()
  const [checked, setChecked] = useState<ShownPage | null>(null)
  const [file, beginFile] = useOneCheck()
  const enqueue = useQueue()
  const [files, checkFiles] = useFiles()
  /** Named by the visitor; what newer pages are checked with, too. */
  const nodes = useRef<readonly string[]>(null)
  const { timeZone } = page.market
  const begin = useCallback(
    (since: boolean) => {
      beginFile().tell({ type: 'forget' })
      const { tell, signal } = beginShop()
      tell({ type: 'forget' })
      setChecked(page)
      nodes.current ??= keptNodes()
      const asked = nodes.current
      const terms = { nodes: asked, contract, timeZone, page, since, remembered: rememberedBoxes() }
      let isProven = false
      const keep: Tell = (event) => {
        if (!signal.aborted && event.type === 'done') {
          isProven = event.page?.kind === 'same' && event.memory?.forked === false
          if (event.memory?.now) rememberState(boxID, event.memory.now)
          if (!since && hasAnswered(event)) keepNodes(asked)
        }
        tell(event)
      }
      enqueue(async (worker) => {
        await checkShopProof(boxID, terms, { tell: keep, signal }, worker)
        const compared = isProven ? checkFiles(worker, page) : undefined
        if (!page.view.sealed) return
        await compared
        worker.end() // nothing more comes of it
      })
    },
    [page, contract, boxID, timeZone, beginShop, beginFile, enqueue, checkFiles],
  )
  const checkShop = useCallback(
    (named?: readonly string[]) => {
      nodes.current = named ?? nodes.current
      begin(false)
    },
    [begin],
  )
  const checkFile = useCallback(
    (picked: File, named: readonly string[]) => {
      const listener = beginFile()
      const terms = { nodes: named, contract, timeZone, page: null, remembered: rememberedBoxes() }
      enqueue((worker) => checkFileProof(picked, terms, listener, worker))
    },
    [contract, timeZone, beginFile, enqueue],
  )
  useWhenIdle(useCallback(() => begin(true), [begin]))
  return useMemo(
    () => ({
      shop: checked === page ? shop : waiting, // what was found of an earlier page says nothing of this one
      file: file.phase === 'waiting' ? null : file,
      files,
      checkShop,
      checkFile,
    }),
    [shop, checked, page, file, files, checkShop, checkFile],
  )
}

/** Calls `start` once the page is idle, and again when `start` changes (another box, or newer data of it). */
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
