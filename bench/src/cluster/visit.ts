import { request } from 'node:http'

/** An answer; status 0: why there was none. */
export type Answer = { status: number; body: string }

type Question = {
  method?: string
  path: string
  /** The visitor's own address, of 127.0.0.0/8: limits count by it. */
  from: string
  headers?: Record<string, string>
  body?: object
}

const LIMIT_MS = 20_000

/** Asks the shop through HAProxy at `port`, on a connection of its own, as a new visitor does. */
export function ask(
  port: number,
  { method = 'GET', path, from, headers = {}, body }: Question,
): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return new Promise((answered) => {
    const none = (error: Error): void => answered({ status: 0, body: error.message })
    const asking = request(
      {
        ...{ host: '127.0.0.1', port, localAddress: from, agent: false, method, path },
        headers: {
          host: 'shop.example',
          ...headers,
          ...(text !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(text),
          }),
        },
        signal: AbortSignal.timeout(LIMIT_MS),
      },
      (answer) => {
        let said = ''
        answer
          .setEncoding('utf8')
          .on('data', (part: string) => {
            said += part
          })
          .on('end', () => answered({ status: answer.statusCode ?? 0, body: said }))
          .on('error', none)
      },
    )
    asking.on('error', none).end(text)
  })
}

/** An address for each number up to four millions. */
export const addressOf = (visitor: number): string =>
  `127.${64 + ((visitor / 62_500) | 0)}.${((visitor / 250) | 0) % 250}.${1 + (visitor % 250)}`
