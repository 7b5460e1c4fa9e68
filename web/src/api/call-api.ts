import { type CallEndpoint, type Endpoint, type UrlInputOf, urlOf } from '@befaqt/domain/api/endpoint'
import { fetchJson } from './fetch-json.ts'

/** What a call may be given beside its URL's parts. */
export type RequestInput = { body?: unknown; version?: number }

/** Headers and body of a call: a form goes as it is, text as CSV, anything else as JSON. */
export function requestOf({ body, version }: RequestInput) {
  const isText = typeof body === 'string'
  const isJson = body !== undefined && !isText && !(body instanceof FormData)
  const headers: Record<string, string> = {}
  if (isText) headers['content-type'] = 'text/csv; charset=utf-8'
  if (isJson) headers['content-type'] = 'application/json'
  if (version !== undefined) headers['if-match'] = `"${version}"`
  return { headers, body: isJson ? JSON.stringify(body) : ((body as FormData | string | undefined) ?? null) }
}

function call<E extends Endpoint>(endpoint: E, input: UrlInputOf<E> & RequestInput): Promise<unknown> {
  return fetchJson(urlOf(endpoint, input), { method: endpoint.method, ...requestOf(input) })
}

/** One call of the shop's API. Rejects with the `ShopError` that came back, `unavailable` when it can't be reached. */
export const callApi = ((endpoint: Endpoint, input: RequestInput = {}) =>
  call(endpoint, input)) as CallEndpoint
