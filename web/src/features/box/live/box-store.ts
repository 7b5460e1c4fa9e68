import type { LiveListener, LiveState } from './box-stream.ts'

/** What is to be read of a newer page: what came since the shown one, or, where that is doubtful, all of it. */
type Wanted = 'news' | 'whole'

/**
 * How far a page follows its box. The stream says that there is something newer; that it is shown is another matter, since
 * each piece is fetched.
 */
type Following = {
  stream: LiveState
  /** What is still to be read; null: nothing newer is known of. */
  wanted: Wanted | null
  /** Whether there was news since the last read began, which its answer may not have. */
  more: boolean
  /** How often it was read. */
  reads: number
  /** How often reading it has failed. */
  failures: number
  /** Whether to read without waiting as long as after a failure: there is news, or the connection is back. */
  soon: boolean
  /** When the page was last known to be the newest, in milliseconds since 1970. */
  since: number
}

type LiveEvent =
  | { type: 'stream'; stream: LiveState; at: number }
  | { type: 'news' }
  | { type: 'doubt' }
  /** The read after so many others begins. */
  | { type: 'reading'; read: number }
  | { type: 'failed' }
  | { type: 'read'; at: number }

const begin = (at: number): Following => ({
  stream: 'connecting',
  wanted: null,
  more: false,
  reads: 0,
  failures: 0,
  soon: true,
  since: at,
})

function follow(state: Following, event: LiveEvent): Following {
  switch (event.type) {
    case 'stream': {
      if (event.stream !== 'live') return { ...state, stream: event.stream }
      const since = state.wanted === null ? event.at : state.since
      return { ...state, stream: 'live', soon: true, since }
    }
    case 'news':
      return { ...state, wanted: state.wanted ?? 'news', more: true, soon: true }
    case 'doubt':
      return { ...state, wanted: 'whole' }
    case 'reading':
      return event.read === state.reads ? { ...state, more: false } : state
    case 'failed':
      return { ...state, failures: state.failures + 1, soon: false }
    case 'read': {
      const wanted = state.more ? 'news' : null
      const reads = state.reads + 1
      return { ...state, wanted, more: false, reads, failures: 0, soon: true, since: event.at }
    }
  }
}

/** After the first failure, doubled with each more. */
const READ_RETRY_MS = 2_000
const MAX_READ_RETRY_MS = 60_000

/** How long to wait before what is wanted is read again; 0 where that is soon. */
const retryDelay = ({ failures, soon }: Following): number =>
  failures === 0 || soon ? 0 : Math.min(READ_RETRY_MS * 2 ** (failures - 1), MAX_READ_RETRY_MS)

/** What the page says of itself. `behind`: there is something newer, which could not be fetched. */
export type Standing = 'connecting' | 'live' | 'behind' | 'lost' | 'offline'

const standing = ({ stream, failures }: Following): Standing =>
  failures > 0 && (stream === 'live' || stream === 'connecting') ? 'behind' : stream

/** What the visitor's check found of the page that is shown; while it runs, the page is left to it. */
export type ShownCheck = 'running' | 'differs' | 'ended'

/** What a store asks of the world around it. */
export type BoxWorld<Page> = {
  /** Listens to the box until what it returns is called. */
  listen: (listener: LiveListener) => () => void
  /** A newer page of the box: the shown one with what came since, or the whole. */
  read: (shown: Page, wanted: Wanted) => Promise<Page>
  /** The id of the newest event that a page shows, as the server writes it. */
  shownEvent: (shown: Page) => string
  /** What a newer page has that the one before had not; blank when nothing was added. */
  words: (before: Page, after: Page) => string
}

/** What a page says of how it follows its box. */
export type BoxState = {
  standing: Standing
  /** When it was last known to be the newest, in milliseconds since 1970. */
  since: number
  /** What came last, in a sentence. */
  news: string
}

/** News that come together are shown together, and not by all visitors in the same moment. */
const WAIT_MS = 300
const WAIT_SPREAD_MS = 1_200

/** One read, with the wait before it. */
type Turn = { key: string; timer: ReturnType<typeof setTimeout>; isOver: boolean }

/**
 * An open page's way with its box: listens, reads what is new, repeats what failed, later each time, and says how it
 * stands. It is no part of React, so nothing is drawn for what nobody sees; components read it by `useSyncExternalStore`.
 * The page itself and its check are React's: both are drawn in slices, which what is read from outside can't be.
 */
export class BoxStore<Page> {
  readonly #world: BoxWorld<Page>
  readonly #listeners = new Set<() => void>()
  #shown: Page
  #check: ShownCheck = 'running'
  #following = begin(Date.now())
  #news = ''
  #state: BoxState
  /** The page that news made, and the one that it was before. */
  #grown: { view: Page; before: Page } | undefined
  #show: ((view: Page) => void) | undefined
  #turn: Turn | undefined

  constructor(view: Page, world: BoxWorld<Page>) {
    this.#shown = view
    this.#world = world
    this.#state = this.#made()
  }

  readonly state = (): BoxState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Follows the box until what it returns is called. `show`: shows a newer page. */
  follow(show: (view: Page) => void): () => void {
    this.#show = show
    const close = this.#world.listen({
      shown: () => this.#world.shownEvent(this.#shown),
      onState: (stream) => this.#on({ type: 'stream', stream, at: Date.now() }),
      onNews: () => this.#on({ type: 'news' }),
    })
    this.#arrange()
    return () => {
      close()
      this.#show = undefined
      this.#arrange()
    }
  }

  /** The page shows this now, and its check stands so. A page of news that differs from the records is read whole. */
  shows(view: Page, check: ShownCheck): void {
    const isDoubtful = check === 'differs' && this.#grown?.view === view
    const isNew = this.#check !== check || this.#shown !== view
    this.#shown = view
    this.#check = check
    if (isDoubtful && isNew) this.#on({ type: 'doubt' })
    this.#arrange()
  }

  #on(event: LiveEvent): void {
    this.#following = follow(this.#following, event)
    const made = this.#made()
    const isSame = (Object.keys(made) as (keyof BoxState)[]).every((name) => made[name] === this.#state[name])
    if (!isSame) {
      this.#state = made
      for (const listener of this.#listeners) listener()
    }
    this.#arrange()
  }

  #made(): BoxState {
    return { standing: standing(this.#following), since: this.#following.since, news: this.#news }
  }

  /** Sees that what is wanted is read in its time, and once. */
  #arrange(): void {
    const { wanted, failures, reads } = this.#following
    const delay = retryDelay(this.#following)
    const mayRead = wanted !== null && this.#check !== 'running' && this.#show !== undefined
    const key = mayRead ? `${wanted} ${reads} ${failures} ${delay}` : undefined
    if (key === this.#turn?.key) return
    if (this.#turn !== undefined) {
      this.#turn.isOver = true
      clearTimeout(this.#turn.timer)
    }
    this.#turn = undefined
    if (key === undefined || wanted === null) return
    const wait = delay + WAIT_MS + Math.random() * WAIT_SPREAD_MS * (failures + 1)
    const turn: Turn = { key, isOver: false, timer: setTimeout(() => void this.#read(turn, wanted), wait) }
    this.#turn = turn
  }

  async #read(turn: Turn, wanted: Wanted): Promise<void> {
    const shown = this.#shown
    this.#following = follow(this.#following, { type: 'reading', read: this.#following.reads })
    const newer = await this.#world.read(shown, wanted).catch(() => undefined)
    if (turn.isOver) return
    if (newer === undefined) return this.#on({ type: 'failed' })
    const isWhole = wanted === 'whole'
    const before = (isWhole && this.#grown?.before) || shown
    this.#grown = isWhole ? undefined : { view: newer, before }
    this.#news = this.#world.words(before, newer) || (isWhole ? '' : this.#news)
    this.#on({ type: 'read', at: Date.now() })
    this.#show?.(newer)
  }
}
