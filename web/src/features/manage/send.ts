import { noConnection, parsedAnswer, refusal } from '#web/api/fetch-json.ts'

/** How much of what is sent has left, from 0 to 1. */
export type Progress = (sent: number) => void

type Sending = {
  /** Changes only this version: `version.stale` when somebody else wrote another meanwhile. */
  version?: number | undefined
  onProgress?: Progress | undefined
}

/**
 * One call that changes something. `body`: a form with files, text as CSV, anything else goes as JSON. Not `fetch`,
 * which can't tell how much of an upload has left.
 * @throws ShopError what the server said, or `unavailable` when it can't be reached
 */
export async function send<Answer>(
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  { version, onProgress }: Sending = {},
): Promise<Answer> {
  const request = new XMLHttpRequest()
  request.open(method, path)
  request.setRequestHeader('accept', 'application/json')
  if (version !== undefined) request.setRequestHeader('if-match', `"${version}"`)
  if (onProgress)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  request.onload = () => resolve()
  request.onerror = () => reject(noConnection())
  request.onabort = request.onerror
  sendBody(request, body)
  await promise
  const { status, responseText } = request
  if (status < 200 || status > 299) throw await refusal(new Response(responseText, { status }))
  return parsedAnswer(responseText, status)
}

function sendBody(request: XMLHttpRequest, body: unknown): void {
  if (body === undefined || body instanceof FormData) {
    request.send(body)
    return
  }
  const isText = typeof body === 'string'
  request.setRequestHeader('content-type', isText ? 'text/csv; charset=utf-8' : 'application/json')
  request.send(isText ? body : JSON.stringify(body))
}
