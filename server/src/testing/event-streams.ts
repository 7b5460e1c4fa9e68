import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { TestShop } from './shop.ts'

/** One event as a browser reads it. */
export type StreamEvent = { event: string; id: string; data: string }

/** Reads the events in a part of a stream, whose last one may not be whole yet. */
export function readEvents(text: string): StreamEvent[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .flatMap((block) => {
      const fields = block.split('\n').map((line) => /^(\w+): (.*)$/.exec(line)?.slice(1) ?? ['', ''])
      const of = (name: string) => fields.flatMap(([key, value = '']) => (key === name ? value : []))
      const [event = ''] = of('event')
      return event === '' ? [] : [{ event, id: of('id').join(), data: of('data').join('\n') }]
    })
}

/** Starts listening on a free port. @returns the address */
export const listenForTests = (shop: TestShop): Promise<string> =>
  shop.app.listen({ port: 0, host: '127.0.0.1' })

/** Opens an event stream over a connection of its own. */
export async function openStream(url: string, headers: Record<string, string> = {}) {
  const request = get(url, { agent: false, headers })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  const waiting = new Set<() => void>()
  const look = () => {
    for (const again of waiting) again()
  }
  response.setEncoding('utf8').on('data', (part: string) => {
    text += part
    look()
  })
  response.on('close', look).on('error', () => undefined)
  request.on('error', () => undefined)
  const events = () => readEvents(text)
  return {
    status: response.statusCode,
    headers: response.headers,
    events,
    text: () => text,
    /** Resolves with the events once there are so many, or the stream has ended. */
    until: (count: number) =>
      new Promise<StreamEvent[]>((resolve) => {
        const again = () => {
          if (events().length < count && !response.closed && !response.complete) return
          waiting.delete(again)
          resolve(events())
        }
        waiting.add(again)
        again()
      }),
    ended: () =>
      new Promise<void>((resolve) => (response.closed ? resolve() : response.once('close', resolve))),
    close: () => request.destroy(),
  }
}
