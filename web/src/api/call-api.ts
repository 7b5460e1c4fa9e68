import { type CallEndpoint, type Endpoint, type UrlInputOf, urlOf } from '@befaqt/domain/api/endpoint'
import { ShopError } from '@befaqt/domain/errors'
import { fetchJson } from './fetch-json.ts'

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
