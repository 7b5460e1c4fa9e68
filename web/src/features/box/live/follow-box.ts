import { urlOf } from '@befaqt/domain/api/endpoint'
import { followBox as endpoint } from '@befaqt/domain/api/endpoints/box-page'

/** State of the connection: after `lost` it is retried, `offline` waits for the browser to be online. */
type LiveState = 'connecting' | 'live' | 'lost' | 'offline'

type LiveListener = {
  /** The id of the newest event that the page shows. */
  shown: () => string
  onState: (state: LiveState) => void
  /** The box has more than the page shows, or may have. */
  onNews: () => void
}

/** Between attempts after the server closed the door: doubled each time. */
const CONNECT_RETRY_MS = 4_000
const MAX_CONNECT_RETRY_MS = 60_000

/**
 * Follows a box while its page is in sight: a browser opens few connections to one server, and other tabs need them.
 * Returns a function that ends it.
 */
export function followBox(boxID: string, { shown, onState, onNews }: LiveListener): () => void {
  let source: EventSource | undefined
  let timer = 0
  let failures = 0
  const close = (): void => {
    window.clearTimeout(timer)
    source?.close()
    source = undefined
  }
  const open = (): void => {
    close()
    if (document.hidden) return
    if (!navigator.onLine) {
      onState('offline')
      return
    }
    const stream = new EventSource(urlOf(endpoint, { params: { boxID }, query: { after: shown() } }))
    source = stream
    stream.addEventListener('record', onNews)
    stream.addEventListener('anchor', onNews)
    stream.onopen = () => {
      failures = 0
      onState('live')
    }
    stream.onerror = () => {
      onState(navigator.onLine ? 'lost' : 'offline')
      if (stream.readyState !== EventSource.CLOSED) return // the browser reconnects by itself
      if (failures === 0) onNews() // perhaps the page is too old to go on from
      timer = window.setTimeout(open, Math.min(CONNECT_RETRY_MS * 2 ** failures, MAX_CONNECT_RETRY_MS))
      failures += 1
    }
  }
  const goOffline = (): void => {
    close()
    onState('offline')
  }
  const look = (): void => (document.hidden ? close() : open())
  document.addEventListener('visibilitychange', look)
  window.addEventListener('online', open)
  window.addEventListener('offline', goOffline)
  open()
  return () => {
    close()
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('online', open)
    window.removeEventListener('offline', goOffline)
  }
}

/** What is to be read of a newer page: what came since the shown one, or, where that is doubtful, all of it. */
type Wanted = 'news' | 'whole'

/**
 * How far a page follows its box. The stream says that there is something newer; that it is shown is another matter, since
 * each piece is fetched.
 */
export type Following = {
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

export type LiveEvent =
  | { type: 'stream'; stream: LiveState; at: number }
  | { type: 'news' }
  | { type: 'doubt' }
  /** The read after so many others begins. */
  | { type: 'reading'; read: number }
  | { type: 'failed' }
  | { type: 'read'; at: number }

export const begin = (at: number): Following => ({
  stream: 'connecting',
  wanted: null,
  more: false,
  reads: 0,
  failures: 0,
  soon: true,
  since: at,
})

export function follow(state: Following, event: LiveEvent): Following {
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
export const retryDelay = ({ failures, soon }: Following): number =>
  failures === 0 || soon ? 0 : Math.min(READ_RETRY_MS * 2 ** (failures - 1), MAX_READ_RETRY_MS)

/** What the page says of itself. `behind`: there is something newer, which could not be fetched. */
export type Standing = 'connecting' | 'live' | 'behind' | 'lost' | 'offline'

export const standing = ({ stream, failures }: Following): Standing =>
  failures > 0 && (stream === 'live' || stream === 'connecting') ? 'behind' : stream
