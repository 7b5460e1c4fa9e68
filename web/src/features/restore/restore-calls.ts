import {
  beginUpload,
  readRestore,
  removeUpload,
  sendPart,
  startRestore,
} from '@befaqt/domain/api/endpoints/restore'
import { ShopError } from '@befaqt/domain/errors'
import type { RestoreState, Upload } from '@befaqt/domain/restore'
import { HEAD_BYTES, LINK_HEADER, PART_BYTES, PLACE_HEADER, TAB_HEADER } from '@befaqt/domain/restore-parts'
import { answeredStatus, callApi } from '#web/api/call-api.ts'

/** What stands in the address in place of a link: the shop's owner restores, who is logged in. */
export const OWN = 'own'

const KEPT_TAB = 'restore-tab'
const TAB_LETTERS = 32

/** By which the shop recognizes this tab, also after it was loaded again. */
function tab(): string {
  const kept = sessionStorage.getItem(KEPT_TAB)
  if (kept !== null) return kept
  const made = [...crypto.getRandomValues(new Uint8Array(TAB_LETTERS))]
    .map((byte) => (byte % 36).toString(36))
    .join('')
  sessionStorage.setItem(KEPT_TAB, made)
  return made
}

const KEPT_PLACE = 'restore-place'

/**
 * Is it what this tab has to do with, also after it was loaded again? The first that answers is. Undefined, of an answer that
 * does not say, is.
 */
export function isOurPlace(place: unknown): boolean {
  const kept = sessionStorage.getItem(KEPT_PLACE)
  if (kept === null && typeof place === 'string') sessionStorage.setItem(KEPT_PLACE, place)
  return kept === null || typeof place !== 'string' || kept === place
}

/** The next that answers is what this tab has to do with. */
export const forgetPlace = (): void => sessionStorage.removeItem(KEPT_PLACE)

/** The headers of every call: who this is, and which process it is meant for. @param link of the address, or `OWN` */
function headersOf(link: string): Record<string, string> {
  const place = sessionStorage.getItem(KEPT_PLACE)
  return {
    [TAB_HEADER]: tab(),
    ...(place !== null && { [PLACE_HEADER]: place }),
    ...(link !== OWN && { [LINK_HEADER]: link }),
  }
}

export const readState = (link: string): Promise<RestoreState> =>
  callApi(readRestore, { headers: headersOf(link) })

export const remove = (link: string): Promise<undefined> =>
  callApi(removeUpload, { headers: headersOf(link) })

export const start = (link: string, id: string, passphrase: string): Promise<undefined> =>
  callApi(startRestore, { headers: headersOf(link), body: { id, passphrase } })

/** Begins to send a file, or goes on with it. @param takeOver from another tab that sends right now */
export async function begin(link: string, file: File, takeOver: boolean): Promise<Upload> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())
  const head = btoa(String.fromCharCode(...bytes))
  const body = { name: file.name, bytes: file.size, head, takeOver }
  return callApi(beginUpload, { headers: headersOf(link), body })
}

const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [500, 10_000]

type Told = {
  /** How much is there now. */
  received: (upload: Upload) => void
  /** Nobody answers: it is tried again. */
  waiting: (isWaiting: boolean) => void
}

/**
 * Sends what of a file is not there yet, part by part; where nobody answers, again until somebody does.
 * @throws ShopError when the shop refuses it
 */
export async function sendRest(
  link: string,
  file: File,
  begun: Upload,
  { received, waiting }: Told,
  signal: AbortSignal,
): Promise<void> {
  let at = begun.received
  let pause = FIRST_PAUSE_MS
  while (at < file.size && !signal.aborted) {
    const body = file.slice(at, at + PART_BYTES, 'application/octet-stream')
    try {
      const params = { id: begun.id, offset: String(at) }
      const upload = await callApi(sendPart, { headers: headersOf(link), params, body })
      at = upload.received
      pause = FIRST_PAUSE_MS
      waiting(false)
      received(upload)
    } catch (error) {
      const there = offsetOf(error)
      if (there !== null) at = there
      else if (isPassing(error)) {
        waiting(true)
        await answerOr(pause, signal)
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
      } else throw error
    }
  }
}

/** Where the file ends at the shop, when an answer of it was lost. */
function offsetOf(error: unknown): number | null {
  if (!(error instanceof ShopError) || error.details.reason !== 'offset') return null
  return typeof error.details.received === 'number' ? error.details.received : null
}

/** Does it go by itself: no network, a shop that starts, too many requests? */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ShopError)) return true
  return answeredStatus(error) === null || error.code === 'unavailable' || error.code === 'rate.limited'
}

/** For so long, or until there is a network again, or nobody waits. */
const answerOr = (pauseMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      removeEventListener('online', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, pauseMs)
    addEventListener('online', done)
    signal.addEventListener('abort', done)
  })
