import type { LiveState } from './follow-box.ts'

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
const RETRY_MS = 2_000
const MAX_RETRY_MS = 60_000

/** How long to wait before what is wanted is read again; 0 where that is soon. */
export const retryDelay = ({ failures, soon }: Following): number =>
  failures === 0 || soon ? 0 : Math.min(RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS)

/** What the page says of itself. `behind`: there is something newer, which could not be fetched. */
export type Standing = 'connecting' | 'live' | 'behind' | 'lost' | 'offline'

export const standing = ({ stream, failures }: Following): Standing =>
  failures > 0 && (stream === 'live' || stream === 'connecting') ? 'behind' : stream
