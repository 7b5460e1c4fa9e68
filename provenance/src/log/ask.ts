/*
 * Requests to witnesses and logs, in Node: whatever is at the other end, they end in time and read no more than is useful.
 */

/** What somebody answered. */
export interface Answer {
  readonly status: number
  readonly type: string
  /** As bytes; texts are read with `textOf`, strictly. */
  readonly body: Uint8Array
}

export interface Question {
  /** Sent with POST, as text unless `headers` says what it is; absent: GET. */
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
  /** Longest answer that is read, in bytes. */
  readonly maxBytes: number
  readonly timeoutMs: number
  /** Ends it earlier. */
  readonly signal?: AbortSignal
}

/** An answer that nobody reads to its end. */
export class AnswerTooLong extends Error {}

/** @throws Error when there is no whole answer in time, one is too long, or one leads elsewhere */
export async function ask(
  url: string,
  { body, headers, maxBytes, timeoutMs, signal }: Question,
): Promise<Answer> {
  const times = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])]
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    ...(body !== undefined && { body }),
    headers: { ...(body !== undefined && { 'content-type': 'text/plain; charset=utf-8' }), ...headers },
    redirect: 'error',
    signal: AbortSignal.any(times),
  })
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of answer.body ?? []) {
    length += part.byteLength
    if (length > maxBytes) throw new AnswerTooLong(`the answer has more than ${maxBytes} bytes`)
    parts.push(part)
  }
  const type = (answer.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  return { status: answer.status, type, body: new Uint8Array(Buffer.concat(parts)) }
}
