import { type CallEndpoint, type Endpoint, type UrlInputOf, urlOf } from '@befaqt/domain/api/endpoint'
import { type ErrorBody, type FieldError, isErrorCode, ShopError } from '@befaqt/domain/errors'
import { hearViewer } from './heard-viewer.ts'

/** What a call may be given beside its URL's parts. */
export type RequestInput = { headers?: Readonly<Record<string, string>>; body?: unknown; version?: number }

/** Headers and body of a call: a form or a file goes as it is, anything else as JSON. */
export function requestOf({ headers: given = {}, body = null, version }: RequestInput) {
  const isJson = body !== null && !(body instanceof FormData || body instanceof Blob)
  const headers: Record<string, string> = { ...given }
  if (isJson) headers['content-type'] = 'application/json'
  if (version !== undefined) headers['if-match'] = `"${version}"`
  return { headers, body: isJson ? JSON.stringify(body) : body }
}

function call<E extends Endpoint>(endpoint: E, input: UrlInputOf<E> & RequestInput): Promise<unknown> {
  return fetchJson(urlOf(endpoint, input), { method: endpoint.method, ...requestOf(input) })
}

let askToConfirm = (): Promise<boolean> => Promise.resolve(false)

/** Says how somebody is asked for password or passkey again: it resolves to whether they confirmed. */
export function confirmWith(ask: () => Promise<boolean>): void {
  askToConfirm = ask
}

/** Where the server wants password or passkey again, they are asked for in a dialog, and the same call is made again. */
async function callOrConfirm(endpoint: Endpoint, input: RequestInput): Promise<unknown> {
  try {
    return await call(endpoint, input)
  } catch (error) {
    if (!(error instanceof ShopError && error.code === 'auth.confirm')) throw error
    if (await askToConfirm()) return call(endpoint, input)
    throw new ShopError('auth.confirm', 'Not confirmed: nothing was changed.')
  }
}

/** One call of the shop's API. Rejects with the `ShopError` that came back, `unavailable` when it can't be reached. */
export const callApi = ((endpoint: Endpoint, input: RequestInput = {}) =>
  callOrConfirm(endpoint, input)) as CallEndpoint

/** What a proxy says when the shop behind it does not answer. */
const GATEWAY = [502, 503, 504]

/** A failure that is not in our table: the status that came with it, null where none came. */
const unlisted = (message: string, answered: number | null, cause?: unknown): ShopError =>
  new ShopError('unavailable', message, { details: { answered }, cause })

/** The network gave no answer. */
export const noConnection = (cause?: unknown): ShopError =>
  unlisted('No connection to the shop. Check your network and try again.', null, cause)

/** Something before the shop answered in its place: a proxy, or a network that wants to be logged in to. */
const notOurs = (status: number, cause?: unknown): ShopError =>
  GATEWAY.includes(status)
    ? unlisted(`The shop cannot be reached right now (${status}). Try again in a moment.`, null, cause)
    : unlisted(`Unexpected answer from the shop (${status}). Try again in a moment.`, null, cause)

/** Status that the shop itself answered; null when it did not: then none is made up. */
export const answeredStatus = (error: ShopError): number | null => {
  const { answered } = error.details
  if (typeof answered === 'number') return answered
  return answered === null ? null : error.status
}

/**
 * A rejected request as the `ShopError` that the server threw; one without our body becomes `unavailable`. That nobody is
 * logged in (any more) is heard by the navigation bar.
 */
export async function rejection(response: Response): Promise<ShopError> {
  const body: Partial<ErrorBody> | null = await response.json().catch(() => null)
  const error = refusal(body?.error, response.status)
  if (error.code === 'auth.required') hearViewer({ viewer: null })
  return error
}

/** What the server said, as the `ShopError` that it threw; `unavailable` for a text that is not its own. */
export function refusal(said: Partial<ErrorBody['error']> = {}, status: number): ShopError {
  const { code, message, fields, ...details } = said
  if (typeof message !== 'string') return notOurs(status)
  if (!isErrorCode(code)) return unlisted(message, status)
  const list: readonly FieldError[] = Array.isArray(fields) ? fields : []
  return new ShopError(code, message, { fields: list, details })
}

/** The JSON of an accepted answer; an empty text is null. @throws ShopError `unavailable` when it is not the shop's */
export function parsedAnswer<Answer>(text: string, status: number): Answer {
  try {
    return JSON.parse(text === '' ? 'null' : text)
  } catch (cause) {
    throw notOurs(status, cause)
  }
}

/**
 * One call to the shop's API, answered as JSON.
 * @throws ShopError what the server said, or `unavailable` when it can't be reached
 */
export async function fetchJson<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { accept: 'application/json', ...init.headers }
  const cut = (cause: unknown) => {
    throw noConnection(cause)
  }
  const response = await fetch(path, { ...init, headers }).catch(cut)
  if (!response.ok) throw await rejection(response)
  return parsedAnswer(await response.text().catch(cut), response.status)
}
