import { type CallEndpoint, type Endpoint, type UrlInputOf, urlOf } from '@befaqt/domain/api/endpoint'
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

/** One call of the shop's API. Rejects with the `ShopError` that came back, `unavailable` when it can't be reached. */
export const callApi = ((endpoint: Endpoint, input: RequestInput = {}) =>
  call(endpoint, input)) as CallEndpoint
