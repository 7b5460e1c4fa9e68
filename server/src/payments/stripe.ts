import Stripe from 'stripe'
import { z } from 'zod'
import {
  ForgedEvent,
  type NewPayment,
  type PaymentEvent,
  PaymentFailed,
  type PaymentIds,
  PaymentRefused,
  type PaymentReport,
  type Payments,
  type ReportedStage,
} from './port.ts'

export type StripeSettings = { secretKey: string; webhookSecret: string; apiUrl: string }

/** For one attempt; the library makes a second one after a lost connection, with the same key. */
const TIMEOUT_MS = 10_000
/** Seconds by which the time of a signed message may differ from ours. Source: Stripe's own default. */
const TOLERANCE_S = 300

/** Our ids in the metadata of Stripe's objects. */
const OurIds = z.object({ befaqt_payment: z.uuid(), befaqt_order: z.uuid() })

/**
 * Payment on Stripe's hosted Checkout page, with manual capture. Source: docs.stripe.com, 'Place a hold on a payment
 * method', 'Idempotent requests', 'Resolve webhook signature verification errors'.
 */
export function stripePayments({ secretKey, webhookSecret, apiUrl }: StripeSettings): Payments {
  const { hostname, port, protocol } = new URL(apiUrl)
  const stripe = new Stripe(secretKey, {
    host: hostname,
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : port,
    protocol: protocol === 'http:' ? 'http' : 'https',
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
  })
  const readIntent = async (reference: string): Promise<PaymentReport | null> =>
    reportOfIntent(await stripe.paymentIntents.retrieve(reference, { expand: ['latest_charge'] }))
  const readSession = async (id: string): Promise<PaymentReport | null> => {
    const session = await stripe.checkout.sessions.retrieve(id)
    const reference = idOf(session.payment_intent)
    return reference === null ? reportOfSession(session) : readIntent(reference)
  }
  const ours = (report: PaymentReport | null): PaymentReport => {
    if (report === null) throw new PaymentRefused('Stripe answered with a payment of somebody else', null)
    return report
  }
  return {
    open: (payment, key) =>
      asked(async () => {
        const session = await stripe.checkout.sessions.create(pageFor(payment), { idempotencyKey: key })
        if (session.url === null) throw new PaymentRefused('Stripe opened no page', null)
        return { session: session.id, url: session.url }
      }),
    read: ({ session, reference }: PaymentIds) =>
      asked(async () => {
        if (reference !== null) return readIntent(reference)
        return session === null ? null : readSession(session)
      }),
    close: (session, key) =>
      asked(async () => {
        await stripe.checkout.sessions.expire(session, undefined, { idempotencyKey: key })
      }),
    capture: (reference, amount, key) =>
      asked(async () =>
        ours(
          reportOfIntent(
            await stripe.paymentIntents.capture(
              reference,
              { amount_to_capture: amount },
              { idempotencyKey: key },
            ),
          ),
        ),
      ),
    release: (reference, key) =>
      asked(async () =>
        ours(reportOfIntent(await stripe.paymentIntents.cancel(reference, {}, { idempotencyKey: key }))),
      ),
    refund: (reference, amount, key) =>
      asked(async () => {
        await stripe.refunds.create({ payment_intent: reference, amount }, { idempotencyKey: key })
      }),
    event: (body, signature, now) => {
      return verified(() => {
        if (!TIMED.test(signature)) throw new TypeError('the signature names no time')
        const event = stripe.webhooks.constructEvent(
          body,
          signature,
          webhookSecret,
          TOLERANCE_S,
          undefined,
          now.getTime(),
        )
        if (typeof event.id !== 'string' || !EVENT_ID.test(event.id))
          throw new TypeError('the event has no id')
        return { id: event.id, kind: event.type, report: reportOfEvent(event) }
      })
    },
  }
}

const pageFor = ({
  id,
  orderId,
  title,
  amount,
  ...payment
}: NewPayment): Stripe.Checkout.SessionCreateParams => {
  const metadata: z.infer<typeof OurIds> = { befaqt_payment: id, befaqt_order: orderId }
  return {
    mode: 'payment',
    allowed_payment_method_types: ['card'],
    line_items: [
      { quantity: 1, price_data: { currency: 'aud', unit_amount: amount, product_data: { name: title } } },
    ],
    payment_intent_data: { capture_method: 'manual', description: title, metadata },
    metadata,
    client_reference_id: id,
    customer_email: payment.email,
    expires_at: Math.floor(payment.pageEndsAt.getTime() / 1_000),
    success_url: payment.paidUrl,
    cancel_url: payment.backUrl,
  }
}

const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null)

/** Our ids in an object of Stripe; null: it is not ours, as of another program with the same account. */
function oursIn({ metadata }: { metadata: unknown }): { paymentId: string; orderId: string } | null {
  const ids = OurIds.safeParse(metadata).data
  return ids ? { paymentId: ids.befaqt_payment, orderId: ids.befaqt_order } : null
}

function reportOfSession(session: Stripe.Checkout.Session): PaymentReport | null {
  const ids = oursIn(session)
  if (ids === null) return null
  return {
    ...ids,
    stage: session.status === 'expired' ? 'LAPSED' : 'OPEN',
    reference: idOf(session.payment_intent),
    amount: session.amount_total ?? 0,
    currency: session.currency ?? '',
    captured: 0,
    refunded: 0,
    captureBefore: null,
  }
}

function stageOf(intent: Stripe.PaymentIntent, refunded: number): ReportedStage {
  switch (intent.status) {
    case 'requires_capture':
      return 'AUTHORIZED'
    case 'succeeded':
      return refunded >= intent.amount_received ? 'REFUNDED' : 'CAPTURED'
    case 'canceled':
      return 'ENDED'
    default:
      return 'OPEN'
  }
}

function reportOfIntent(intent: Stripe.PaymentIntent): PaymentReport | null {
  const ids = oursIn(intent)
  if (ids === null) return null
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
  const refunded = charge?.amount_refunded ?? 0
  const before = charge?.payment_method_details?.card?.capture_before
  return {
    ...ids,
    stage: stageOf(intent, refunded),
    reference: intent.id,
    amount: intent.amount,
    currency: intent.currency,
    captured: intent.amount_received,
    refunded,
    captureBefore: before === undefined ? null : new Date(before * 1_000),
  }
}

/** A charge has the metadata of its payment intent. */
function reportOfCharge(charge: Stripe.Charge): PaymentReport | null {
  const ids = oursIn(charge)
  if (ids === null) return null
  return {
    ...ids,
    stage: charge.amount_refunded >= charge.amount_captured ? 'REFUNDED' : 'CAPTURED',
    reference: idOf(charge.payment_intent),
    amount: charge.amount,
    currency: charge.currency,
    captured: charge.amount_captured,
    refunded: charge.amount_refunded,
    captureBefore: null,
  }
}

function reportOfEvent(event: Stripe.Event): PaymentReport | null {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.expired':
      return reportOfSession(event.data.object)
    case 'payment_intent.amount_capturable_updated':
    case 'payment_intent.succeeded':
    case 'payment_intent.canceled':
      return reportOfIntent(event.data.object)
    case 'charge.refunded':
      return reportOfCharge(event.data.object)
    default:
      return null
  }
}

/** When it was signed, in seconds: the library takes what is no number for just now. */
const TIMED = /(?:^|,)t=\d{1,12}(?:,|$)/
const EVENT_ID = /^[\w-]{1,255}$/

/** @throws ForgedEvent also for a signed message in which nothing is where it should be */
function verified(read: () => PaymentEvent): PaymentEvent {
  try {
    return read()
  } catch (error) {
    throw new ForgedEvent(error)
  }
}

/** Stripe's errors that no retry can resolve. A wrong key is not among them: an operator can correct it. */
const REFUSALS: readonly string[] = ['StripeCardError', 'StripeInvalidRequestError', 'StripeIdempotencyError']

async function asked<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    const message = `Stripe: ${error.code ?? error.type}`
    if (isRunning(error) || error.statusCode === undefined) throw new Error(message, { cause: error })
    if (REFUSALS.includes(error.type)) throw new PaymentRefused(message, error)
    throw new PaymentFailed(message, error)
  }
}

/** Another request with the same key has not been answered yet: its outcome is open. Source: 'Idempotent requests'. */
const isRunning = ({ statusCode }: Stripe.errors.StripeError): boolean => statusCode === 409
