import { emailKey } from '#server/accounts/email-key.ts'
import type { RateLimit } from '#server/accounts/limits/rate-limit.ts'

const HOUR_S = 3_600

/** Orders from one network: each sends an email and takes stock. */
export const ordersByNetwork = (network: string): RateLimit => ({
  name: 'orders-from',
  key: network,
  policy: { freeAttempts: 600, baseDelayS: 5, maxDelayS: 900, windowS: HOUR_S },
})

/** Orders by the email of their contact, unless it is that of the account: it may be somebody else's. */
export const ordersByRecipient = (email: string): RateLimit => ({
  name: 'orders-to',
  key: emailKey(email),
  policy: { freeAttempts: 20, baseDelayS: 60, maxDelayS: HOUR_S, windowS: 24 * HOUR_S },
})

/** Holds of guests from one network: each reserves stock for a while. */
export const holdsByNetwork = (network: string): RateLimit => ({
  name: 'holds-from',
  key: network,
  policy: { freeAttempts: 300, baseDelayS: 15, maxDelayS: 900, windowS: HOUR_S },
})
