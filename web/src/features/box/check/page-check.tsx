import {
  createContext,
  type ReactNode,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react'
import type { Tell } from './box-checker.ts'
import { CheckWorker, checkFileProof, checkShopProof, type Listener } from './check-proof.ts'
import {
  type CheckState,
  type Found,
  nextCheck,
  otherBoxLine,
  otherFileLine,
  type VerdictLine,
  type VerdictTone,
  verdictLine,
} from './check-state.ts'
import { keepNodes, keptNodes, keptPolicy, rememberedBoxes, rememberState } from './kept-by-browser.ts'
import type { ShownPage } from './page-match.ts'
import { type FileFound, namedFiles } from './record-files.ts'

type PageCheckState = Check & { page: ShownPage; boxID: string }

const PageCheck = createContext<PageCheckState | null>(null)

type Props = {
  page: ShownPage
  contract: string | null
  /** The box of the address. */
  boxID: string
  children: ReactNode
}

/** Checks what the page shows. Around the page: only what reads the check is drawn again with each step of it. */
export function PageCheckProvider({ page, contract, boxID, children }: Props) {
  const check = useCheck(page, contract, boxID)
  return (
    <PageCheck value={useMemo(() => ({ ...check, page, boxID }), [check, page, boxID])}>{children}</PageCheck>
  )
}

/** What the check of this page found of a file that a record names; undefined before, and on pages without a check. */
export const useCheckedFile = (href: string): CheckedFile | undefined =>
  useContext(PageCheck)?.files.get(href)

/** The check of the page that this stands on. */
export function usePageCheck(): PageCheckState {
  const check = useContext(PageCheck)
  if (check === null) throw new Error('This part stands on no page that is checked.')
  return check
}

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

/**
 * A check's state, and a way to start over, which ends whatever was still running; so does leaving the page. All of the
 * page reads it, so what it tells is drawn in slices: otherwise its first word would have React hydrate at once, in one
 * piece, all that it had not come to yet.
 */
function useOneCheck(): [CheckState, begin: () => Listener] {
  const [state, dispatch] = useReducer(nextCheck, waiting)
  const running = useRef<AbortController>(null)
  const begin = useCallback((): Listener => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    const tell: Tell = (event) => {
      if (!signal.aborted) startTransition(() => dispatch(event))
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
function useCheck(page: ShownPage, contract: string | null, boxID: string): Check {
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
      startTransition(() => setChecked(page))
      nodes.current ??= keptNodes()
      const asked = nodes.current
      const policy = keptPolicy()
      const terms = { nodes: asked, contract, policy, timeZone, page, since, remembered: rememberedBoxes() }
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
      const policy = keptPolicy()
      const terms = { nodes: named, contract, policy, timeZone, page: null, remembered: rememberedBoxes() }
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

/** A file of a record: drawn from the very bytes at `url`; another than its record names; not compared. */
type CheckedFile = { state: 'same'; url: string } | { state: 'differs' | 'unread' }

/** What was found of the files that records name, by their address. */
type CheckedFiles = ReadonlyMap<string, CheckedFile>

const withUrl = (file: FileFound): CheckedFile =>
  file.state === 'same' ? { state: 'same', url: URL.createObjectURL(file.blob) } : { state: file.state }

/** The files of a page, and a way to compare those that were not yet. What was proven of one stays so. */
function useFiles(): [CheckedFiles, (worker: CheckWorker, page: ShownPage) => Promise<void>] {
  const [files, setFiles] = useState<CheckedFiles>(new Map())
  const known = useRef(files)
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
      for (const file of known.current.values()) if (file.state === 'same') URL.revokeObjectURL(file.url)
      known.current = new Map()
    }
  }, [])
  const check = useCallback(async (worker: CheckWorker, { view }: ShownPage) => {
    const open = namedFiles(view.box).filter((href) => known.current.get(href)?.state !== 'same')
    const found = await worker.files(open)
    if (isGone.current || found.length === 0) return
    known.current = new Map([...known.current, ...found.map((file) => [file.href, withUrl(file)] as const)])
    startTransition(() => setFiles(known.current))
  }, [])
  return [files, check]
}

/** Of a page that shows what was proven. */
export const provenTones: ReadonlySet<VerdictTone> = new Set(['good', 'own', 'waiting'])

/** The verdict on the page that this stands on: its box, its records, its files. */
export function useVerdict(): VerdictLine {
  const { shop, page, boxID, files } = usePageCheck()
  const shown = page.view.box.boxID
  if (shown !== boxID) return otherBoxLine(shown, boxID)
  const line = verdictLine(shop, boxID)
  const isOther = shop.phase === 'done' && [...files.values()].some(({ state }) => state === 'differs')
  return isOther && line.tone !== 'bad' ? otherFileLine : line
}
