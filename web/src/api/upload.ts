import { type AnswerOf, type Endpoint, type InputOf, urlOf } from '@befaqt/domain/api/endpoint'
import { noConnection, parsedAnswer, type RequestInput, rejection, requestOf } from './call-api.ts'

/** How much of what is sent has left, from 0 to 1. */
export type Progress = (sent: number) => void

/**
 * `callApi` for a form with files. Not by `fetch`, which can't tell how much of an upload has left.
 * @throws ShopError what the server said, or `unavailable` when it can't be reached
 */
export async function upload<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E> & RequestInput,
  onProgress: Progress,
): Promise<AnswerOf<E>> {
  const { headers, body } = requestOf(input)
  const request = new XMLHttpRequest()
  request.open(endpoint.method, urlOf(endpoint, input))
  request.setRequestHeader('accept', 'application/json')
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  request.onload = () => resolve()
  request.onerror = () => reject(noConnection())
  request.onabort = request.onerror
  request.send(body)
  await promise
  const { status, responseText } = request
  if (status < 200 || status > 299) throw await rejection(new Response(responseText, { status }))
  return parsedAnswer(responseText, status)
}
