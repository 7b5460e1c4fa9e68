/** The request for a payment. The provider returns our ids with everything it reports about it. */
export type NewPayment = {
  id: string
  orderId: string
  /** What it is for, as the buyer reads it: the order's number. */
  title: string
  /** Whole cents of AUD to authorize. */
  amount: number
  email: string
  /** When the provider's page ends by itself. */
  pageEndsAt: Date
  /** Where buyers go afterwards, and where when they go back. */
  paidUrl: string
  backUrl: string
}

/** State of a payment at the provider. ENDED: an authorization that ended, without a reason given. */
export type ReportedStage = 'OPEN' | 'LAPSED' | 'AUTHORIZED' | 'CAPTURED' | 'REFUNDED' | 'ENDED'

/** What the provider says of a payment. Amounts in whole cents. */
export type PaymentReport = {
  /** Our ids, as the provider was given them. */
  paymentId: string
  orderId: string
  stage: ReportedStage
  /** The provider's id of what was paid; null: not known yet. */
  reference: string | null
  /** What was to be authorized. */
  amount: number
  /** ISO 4217, in lower case. */
  currency: string
  captured: number
  refunded: number
  /** Until when it can be captured; null: not said. */
  captureBefore: Date | null
}

/** By what the provider knows a payment. */
export type PaymentIds = { session: string | null; reference: string | null }

/** A message of the provider whose signature was verified. `report`: null when it is about no payment of this shop. */
export type PaymentEvent = { id: string; kind: string; report: PaymentReport | null }

/**
 * The provider answered with an error, which it repeats for the key of the request. Another attempt takes another key,
 * and first reads what the provider did.
 */
export class PaymentFailed extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'PaymentFailed'
  }
}

/** The provider rejects the request: retrying would not help. */
export class PaymentRefused extends PaymentFailed {
  constructor(message: string, cause: unknown) {
    super(message, cause)
    this.name = 'PaymentRefused'
  }
}

/** A message that is not the provider's, is too old, or can't be read. */
export class ForgedEvent extends Error {
  constructor(cause: unknown) {
    super('The signature does not fit', { cause })
    this.name = 'ForgedEvent'
  }
}

/**
 * Payment by card. Every call has a time limit, may be repeated with the same key, and throws PaymentRefused for good,
 * PaymentFailed when it may be tried again with another key, or any other error when no answer came: then only the same
 * key may be tried, since the provider may have done it.
 */
export type Payments = {
  /** Opens a page for paying; the same payment again with the same key gets the same page. */
  open(payment: NewPayment, key: string): Promise<{ session: string; url: string }>
  /** Null: the provider does not know it. */
  read(ids: PaymentIds): Promise<PaymentReport | null>
  /** Ends the page, so that nobody can pay any more. One that was used or has ended stays as it is. */
  close(session: string, key: string): Promise<void>
  /** Charges `amount` of what was authorized; the rest is released. */
  capture(reference: string, amount: number, key: string): Promise<PaymentReport>
  /** Ends an authorization. */
  release(reference: string, key: string): Promise<PaymentReport>
  /** Gives back `amount` of what was charged. */
  refund(reference: string, amount: number, key: string): Promise<void>
  /** Verifies a message of the provider. @throws ForgedEvent */
  event(body: string, signature: string, now: Date): PaymentEvent
}
