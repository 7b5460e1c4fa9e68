import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Fields = Record<string, string>
type Reply = { status: number; body: object }
/** A payment as Stripe has it: its page, and the payment intent and charge that it becomes. */
type Held = {
  session: string
  status: 'open' | 'complete' | 'expired'
  fields: Fields
  amount: number
  intent: string | null
  intentStatus: 'requires_capture' | 'succeeded' | 'canceled'
  received: number
  refunded: number
}

/**
 * A server that does what Stripe's documents say of Checkout Sessions, PaymentIntents, refunds, idempotency keys and
 * signed webhooks, so far as the shop uses them. It is no proof that Stripe does.
 */
export type StripeServer = AsyncDisposable & {
  env: Record<string, string>
  /** Calls that were made: 'POST /v1/…', without replays of idempotency keys. */
  calls: string[]
  /** The buyer pays on the page at this address. */
  pay(url: string): void
  /** The page or the authorization ends by itself. */
  end(url: string): void
  /** An event about the payment of this page, signed. */
  event(kind: string, url: string, more?: EventOptions): SignedEvent
  /**
   * Refuses every call from now on: by a status, which is kept for the call's idempotency key as any answer is, by not
   * answering, or by doing it and losing the answer.
   */
  away(how: Away): void
  held(url: string): Held
}
type Away = number | 'silent' | 'lost' | null
export type SignedEvent = { body: string; headers: Record<string, string> }
export type EventOptions = {
  ageS?: number
  secret?: string
  /** What it says otherwise than the payment is. */
  object?: Record<string, unknown>
  metadata?: Record<string, string>
}

const [KEY, SECRET] = ['sk_test_0123456789', 'whsec_0123456789']

export async function stripeServer(): Promise<StripeServer> {
  const all: Held[] = []
  const calls: string[] = []
  const kept = new Map<string, { fingerprint: string; reply: Reply }>()
  let away: Away = null
  const find = (test: (held: Held) => boolean): Held => {
    const held = all.find(test)
    if (held === undefined) throw new Refusal('resource_missing', 404)
    return held
  }
  const byUrl = (url: string): Held => find(({ session }) => url.endsWith(`/pay/${session}`))

  const run = (method: string, path: string, fields: Fields): object => {
    const [, , first, second, third, fourth] = path.split('/')
    if (first === 'checkout' && method === 'POST' && third === undefined) return open(all, fields, port)
    if (first === 'checkout' && third !== undefined) {
      const held = find(({ session }) => session === third)
      if (fourth === 'expire') {
        if (held.status !== 'open') throw new Refusal('checkout_session_not_open', 400)
        held.status = 'expired'
      }
      return sessionOf(held, port)
    }
    if (first === 'payment_intents') {
      const held = find(({ intent }) => intent === second)
      if (third === 'capture') capture(held, Number(fields.amount_to_capture))
      if (third === 'cancel') cancel(held)
      return intentOf(held)
    }
    if (first === 'refunds')
      return refund(
        find(({ intent }) => intent === fields.payment_intent),
        fields,
      )
    throw new Refusal('unknown_path', 404)
  }

  const answer = (request: IncomingMessage, body: string): Reply => {
    const url = new URL(request.url ?? '', 'http://stripe')
    const method = request.method ?? ''
    const fields = Object.fromEntries(new URLSearchParams(body))
    if (request.headers.authorization !== `Bearer ${KEY}`) return failure('invalid_api_key', 401)
    const call = `${method} ${url.pathname}`
    const key = request.headers['idempotency-key']
    if (method === 'POST' && key === undefined) return failure('no_idempotency_key', 400)
    const fingerprint = `${call}?${body}`
    const before = typeof key === 'string' ? kept.get(key) : undefined
    if (before !== undefined)
      return before.fingerprint === fingerprint ? before.reply : failure('idempotency_error', 400)
    const reply = typeof away === 'number' ? failure('down', away) : attempt(method, url.pathname, fields)
    calls.push(call)
    if (typeof key === 'string') kept.set(key, { fingerprint, reply })
    return reply
  }
  const attempt = (method: string, path: string, fields: Fields): Reply => {
    try {
      return { status: 200, body: run(method, path, fields) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return failure(error.message, error.status)
    }
  }

  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (away === 'silent') return
    const shown = /^\/pay\/([\w-]+)(\/paid)?$/.exec(request.url ?? '')
    if (shown?.[1] !== undefined) {
      const held = find(({ session }) => session === shown[1])
      if (shown[2] === undefined) response.setHeader('content-type', 'text/html').end(pageOf(held))
      else response.writeHead(303, { location: payOn(held) }).end()
      return
    }
    const { status, body: object } = answer(request, body)
    if (away === 'lost') return void request.socket.destroy()
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(object))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    env: {
      STRIPE_SECRET_KEY: KEY,
      STRIPE_WEBHOOK_SECRET: SECRET,
      STRIPE_API_URL: `http://127.0.0.1:${port}`,
    },
    calls,
    pay: (url) => void payOn(byUrl(url)),
    end: (url) => {
      const held = byUrl(url)
      if (held.status === 'open') held.status = 'expired'
      else cancel(held)
    },
    event: (kind, url, more = {}) => signedEvent(kind, byUrl(url), port, more),
    away: (how) => {
      away = how
    },
    held: byUrl,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

class Refusal extends Error {
  readonly status: number
  constructor(code: string, status: number) {
    super(code)
    this.status = status
  }
}

const failure = (code: string, status: number): Reply => ({
  status,
  body: {
    error: {
      type: code === 'idempotency_error' ? code : status < 500 ? 'invalid_request_error' : 'api_error',
      code,
      message: code,
    },
  },
})

const HALF_AN_HOUR_S = 1_800
const DAY_S = 86_400

function open(all: Held[], fields: Fields, port: number): object {
  const left = Number(fields.expires_at) - Date.now() / 1_000
  if (left < HALF_AN_HOUR_S || left > DAY_S) throw new Refusal('expires_at', 400)
  if (fields['payment_intent_data[capture_method]'] !== 'manual') throw new Refusal('capture_method', 400)
  const amount = Number(fields['line_items[0][price_data][unit_amount]'])
  if (!(amount >= 50)) throw new Refusal('amount_too_small', 400)
  const held: Held = {
    session: `cs_test_${randomUUID()}`,
    status: 'open',
    fields,
    amount,
    intent: null,
    intentStatus: 'requires_capture',
    received: 0,
    refunded: 0,
  }
  all.push(held)
  return sessionOf(held, port)
}

/** Pays on the page. Returns where it leads to. */
function payOn(held: Held): string {
  if (held.status !== 'open') throw new Error('this page is closed')
  Object.assign(held, { status: 'complete', intent: `pi_${randomUUID()}` })
  return held.fields.success_url ?? ''
}

/**
 * The page that a buyer sees, with a button where Stripe's asks for the card. With an icon of its own, as any real page: a
 * browser asks for /favicon.ico otherwise, which needs no key at Stripe.
 */
const pageOf = ({ session, fields, amount }: Held): string => `<!doctype html><title>Not Stripe</title>
<link rel="icon" href="data:,">
<h1>Pay ${(amount / 100).toFixed(2)} AUD</h1>
<form method="post" action="/pay/${session}/paid"><button>Pay</button></form>
<a href="${fields.cancel_url?.replaceAll('&', '&amp;')}">Back to the shop</a>`

function capture(held: Held, amount: number): void {
  if (held.intentStatus !== 'requires_capture') throw new Refusal('payment_intent_unexpected_state', 400)
  if (!(amount >= 1 && amount <= held.amount)) throw new Refusal('amount_too_large', 400)
  Object.assign(held, { intentStatus: 'succeeded', received: amount })
}

function cancel(held: Held): void {
  if (held.intentStatus !== 'requires_capture') throw new Refusal('payment_intent_unexpected_state', 400)
  held.intentStatus = 'canceled'
}

function refund(held: Held, { amount }: Fields): object {
  const wanted = Number(amount)
  if (held.refunded + wanted > held.received) throw new Refusal('charge_already_refunded', 400)
  held.refunded += wanted
  return { id: `re_${randomUUID()}`, object: 'refund', amount: wanted, status: 'succeeded' }
}

const metadataOf = ({ fields }: Held, at: string): object => ({
  befaqt_payment: fields[`${at}[befaqt_payment]`],
  befaqt_order: fields[`${at}[befaqt_order]`],
})

const sessionOf = (held: Held, port: number) => ({
  id: held.session,
  object: 'checkout.session',
  status: held.status,
  url: held.status === 'open' ? `http://127.0.0.1:${port}/pay/${held.session}` : null,
  payment_intent: held.intent,
  amount_total: held.amount,
  currency: 'aud',
  metadata: metadataOf(held, 'metadata'),
})

const chargeOf = (held: Held) => ({
  id: 'ch_1',
  object: 'charge',
  payment_intent: held.intent,
  amount: held.amount,
  amount_captured: held.received,
  amount_refunded: held.refunded,
  currency: 'aud',
  metadata: metadataOf(held, 'payment_intent_data[metadata]'),
  payment_method_details: {
    card: { capture_before: Math.floor(Date.now() / 1_000) + 7 * DAY_S },
  },
})

const intentOf = (held: Held) => ({
  id: held.intent,
  object: 'payment_intent',
  status: held.intentStatus,
  amount: held.amount,
  amount_received: held.received,
  currency: 'aud',
  metadata: metadataOf(held, 'payment_intent_data[metadata]'),
  latest_charge: chargeOf(held),
})

/** Source: docs.stripe.com, 'Verify webhook signatures manually'. */
function signedEvent(kind: string, held: Held, port: number, more: EventOptions): SignedEvent {
  const { ageS = 0, secret = SECRET } = more
  const about = kind.startsWith('checkout')
    ? sessionOf(held, port)
    : kind.startsWith('charge')
      ? chargeOf(held)
      : { ...intentOf(held), latest_charge: 'ch_1' }
  const object = { ...about, ...more.object, metadata: { ...about.metadata, ...more.metadata } }
  const body = JSON.stringify({ id: `evt_${randomUUID()}`, object: 'event', type: kind, data: { object } })
  const at = Math.floor(Date.now() / 1_000) - ageS
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  return {
    body,
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` },
  }
}
