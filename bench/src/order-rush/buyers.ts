import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

/** What a buyer was told in the end: the number of the order, or that the stock was not enough. */
export type Told = { buyer: number; number?: string; requests: number }

const TIMEOUT_MS = 40_000
const RETRY_MS = { first: 100, most: 4_000 }
/** Gives up after so many attempts, which no working shop needs. */
const MAX_ATTEMPTS = 400

/** A network of its own for each buyer, as the proxy in front of the shop forwards it. */
const networkOf = (buyer: number): string => `10.${buyer >> 16}.${(buyer >> 8) & 255}.${buyer & 255}`

type Reply = { status: number; body: string }

/** What a buyer wants. With `holds` it is held first: what a killed process held stays held for a while. */
export type Wish = { buyer: number; product: string; slot: string; holds?: boolean }

/**
 * Buys one. The order is sent twice at once, to both processes where there are two, and again until there is a definite
 * response.
 * @throws Error if the two were told different things, or something else than sold or sold out
 */
export async function buy(urls: readonly string[], { buyer, product, slot, holds }: Wish): Promise<Told> {
  let requests = 0
  const send = async (path: string, body: object, key: string, turn: number): Promise<Reply> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      requests++
      const url = urls[(buyer + turn + attempt) % urls.length]
      const reply = await post(`${url}${path}`, body, key, networkOf(buyer))
      if (reply !== undefined && isDefinite(reply)) return reply
      const most = Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** attempt)
      await wait(most / 2 + (Math.random() * most) / 2)
    }
    throw new Error(`buyer ${buyer} was never told`)
  }
  const lines = [{ product_id: product, quantity: 1 }]
  const fulfilment = { kind: 'pickup', slot }
  const contact = { fname: 'Ann', lname: 'Lee', email: `buyer${buyer}@example.org`, phone: '0400 000 000' }
  let hold: string | undefined
  if (holds) {
    const held = await send('/api/order/hold', { lines, slot, contact }, randomUUID(), 0)
    if (held.status === 409) return { buyer, requests }
    hold = (JSON.parse(held.body) as { _id: string })._id
  }
  const key = randomUUID()
  const order = { lines, contact, fulfilment, ...(hold !== undefined && { hold }) }
  const [first, second] = await Promise.all([0, 1].map((turn) => send('/api/order', order, key, turn)))
  const [number, other] = [first, second].map(orderNumber)
  if (number !== other) throw new Error(`buyer ${buyer} was told ${number} and ${other}`)
  return { buyer, requests, ...(number !== undefined && { number }) }
}

const orderNumber = (reply: Reply | undefined): string | undefined =>
  reply?.status === 201 ? (JSON.parse(reply.body) as { number: string }).number : undefined

/** @returns undefined when there is no response, as from a process that was killed */
async function post(url: string, body: object, key: string, network: string): Promise<Reply | undefined> {
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': key,
    'x-forwarded-for': network,
  }
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal })
    return { status: response.status, body: await response.text() }
  } catch {
    return undefined
  }
}

/** Sold, or sold out; any other answer that may change with time is retried. */
function isDefinite({ status, body }: Reply): boolean {
  if (status === 201) return true
  if (status === 409) return body.includes('stock.insufficient')
  if ([408, 429, 503, 504].includes(status)) return false
  throw new Error(`${status} ${body}`)
}
