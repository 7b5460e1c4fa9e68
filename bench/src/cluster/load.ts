import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { connectAsync } from 'mqtt'
import { readingOf } from '../boxes.ts'
import { bearer } from '../sign-in.ts'
import type { Asked, Told } from './count.ts'
import { type Answer, addressOf, ask } from './visit.ts'
import type { World } from './world.ts'

/** Buyers, packers, devices and visitors, until it is stopped. */
export type Load = {
  readonly told: readonly Told[]
  readonly asked: readonly Asked[]
  /** Waits until everybody who came before was told, or @throws after `limitMs`. */
  settled(limitMs: number): Promise<void>
  /** No more come; those who wait are told first. */
  stop(): Promise<void>
}

/** A buyer comes this often, whether or not those before were told, unless so many wait. */
const BUYER_MS = 400
const MOST_WAITING = 200
const READING_MS = 100
const VISITOR_MS = 150
const AGAIN_MS = 1_000
const VISITORS = 3
const PACKERS = 2
/** Orders that wait to be packed; where there are more, no more of them are. */
const MOST_TO_PACK = 10
const PACKER = '127.32.0.1'

/** Starts it: all come through HAProxy, devices through the broker. A refusal that no retry can change ends the run. */
export async function startLoad(world: World): Promise<Load> {
  const { balancer, boxes, key, product, slot } = world
  const told: Told[] = []
  const asked: Asked[] = []
  const failures: Error[] = []
  const underWay = new Set<string>()
  const toPack: string[] = []
  let running = true
  let number = 0

  const done = (kind: Told['kind'], id: string): void => void told.push({ kind, id, at: performance.now() })
  /** Asks once. An answer that may change with time counts as failed; any other that is not `wanted` ends the run. */
  const once = async (
    what: string,
    question: Parameters<typeof ask>[1],
    wanted: (answer: Answer) => boolean,
  ): Promise<Answer | undefined> => {
    const answer = await ask(balancer.visitors, question)
    const isWanted = wanted(answer)
    asked.push({
      at: performance.now(),
      what,
      ...(!isWanted && { failed: howOf(answer) }),
    })
    if (isWanted) return answer
    if (!maySoonBeOtherwise(answer)) failures.push(new Error(`${what}: ${answer.status} ${answer.body}`))
    return undefined
  }
  const until: typeof once = async (...asking) => {
    for (;;) {
      const answer = await once(...asking)
      if (answer !== undefined || failures.length > 0) return answer
      await wait(AGAIN_MS * (0.5 + Math.random()))
    }
  }
  const buy = async (buyer: number): Promise<void> => {
    const body = {
      lines: [{ product_id: product, quantity: 1 }],
      contact: { fname: 'Ann', lname: 'Lee', email: emailOf(buyer), phone: '0400 000 000' },
      fulfilment: { kind: 'pickup', slot },
    }
    const headers = { 'idempotency-key': randomUUID() }
    const question = { method: 'POST', path: '/api/order', from: addressOf(buyer), headers, body }
    const answer = await until('order', question, ({ status }) => status === 201)
    if (answer === undefined) return
    const { _id, number: named } = JSON.parse(answer.body) as { _id: string; number: string }
    done('order', `${emailOf(buyer)} ${named}`)
    if (toPack.length < MOST_TO_PACK) toPack.push(_id)
  }
  const pack = async (id: string): Promise<void> => {
    const path = `/api/order/${id}`
    const same = { from: PACKER, headers: bearer(key) }
    const lines = [{ position: 1, grams: 1_000 }]
    await until('weigh', { ...same, method: 'PUT', path: `${path}/packing`, body: { lines } }, isDone)
    // Packed already, by a request whose answer was lost, it says 409 with its state.
    const isPacked = ({ status, body }: Answer): boolean =>
      status === 200 || (status === 409 && body.includes('order.state'))
    const body = { status: 'PACKED' }
    if (await until('pack', { ...same, method: 'PATCH', path, body }, isPacked)) done('packing', id)
  }
  /** Keeps its name among those that are under way. */
  const track = async (name: string, work: Promise<unknown>): Promise<void> => {
    underWay.add(name)
    await work.catch((error: Error) => failures.push(error))
    underWay.delete(name)
  }
  const buyers = async (): Promise<void> => {
    for (; running && failures.length === 0; await wait(BUYER_MS)) {
      if (underWay.size > MOST_WAITING) continue
      const buyer = ++number
      void track(`buyer ${buyer}`, buy(buyer))
    }
  }
  const packer = async (): Promise<void> => {
    for (; running || toPack.length > 0; await wait(AGAIN_MS)) {
      const id = toPack.shift()
      if (id !== undefined) await track(`packing ${id}`, pack(id))
      if (failures.length > 0) return
    }
  }
  const device = async (box: string, i: number): Promise<void> => {
    const client = await connectAsync(world.device(box))
    for (let next = i; running; next += boxes.length) {
      const id = `${box}-${next}`
      const reading = JSON.stringify({ ...readingOf(next), id })
      void track(
        `reading ${id}`,
        client.publishAsync(`befaqt/${box}/tracking`, reading, { qos: 1 }).then(() => done('reading', id)),
      )
      await wait(READING_MS * boxes.length)
    }
    while ([...underWay].some((name) => name.startsWith('reading'))) await wait(100)
    await client.endAsync()
  }
  const visitor = async (lane: number): Promise<void> => {
    for (let i = lane; running; i++) {
      const box = boxes[i % boxes.length]
      const path = ['/', '/api/product/active', `/SFMBox/byId/${box}`, `/product/${product}`][i % 4] ?? '/'
      await once(path, { path, from: addressOf(1_000_000 + i) }, isDone)
      await wait(VISITOR_MS)
    }
  }
  const all = [
    buyers(),
    ...Array.from({ length: PACKERS }, packer),
    ...boxes.map(device),
    ...Array.from({ length: VISITORS }, (_, lane) => visitor(lane)),
  ].map((work) => work.catch((error: Error) => void failures.push(error)))
  const settled = async (limitMs: number): Promise<void> => {
    const before = new Set([...underWay, ...toPack.map((id) => `packing ${id}`)])
    for (const late = performance.now() + limitMs; ; await wait(100)) {
      if (failures[0] !== undefined) throw failures[0]
      const left = [...before].filter((name) => underWay.has(name) || toPack.includes(name.slice(8)))
      if (left.length === 0) return
      if (performance.now() > late)
        throw new Error(`${left.length} were not told within ${limitMs} ms: ${left[0]}`)
    }
  }
  return {
    told,
    asked,
    settled,
    stop: async () => {
      running = false
      await Promise.all(all)
      await settled(60_000)
    },
  }
}

const emailOf = (buyer: number): string => `buyer${buyer}@example.org`

/** No answer, a fault, or a refusal for the moment, as of an order that another process still works on. */
const maySoonBeOtherwise = ({ status, body }: Answer): boolean =>
  status === 0 || status === 408 || status === 429 || status >= 500 || body.includes('"retryAfterS"')

/** Status with the code of the shop's problem, or why there was no answer. */
function howOf({ status, body }: Answer): string {
  const code = /"code":"([^"]*)"/.exec(body)?.[1]
  return status === 0 ? body : [status, ...(code === undefined ? [] : [code])].join(' ')
}

const isDone = ({ status }: Answer): boolean => status === 200
