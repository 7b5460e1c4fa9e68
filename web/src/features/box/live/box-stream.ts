import { urlOf } from '@befaqt/domain/api/endpoint'
import { followBox as endpoint } from '@befaqt/domain/api/endpoints/box-page'

/** State of the connection: after `lost` it is retried, `offline` waits for the browser to be online. */
export type LiveState = 'connecting' | 'live' | 'lost' | 'offline'

export type LiveListener = {
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
