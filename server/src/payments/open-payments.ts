import type { Config } from '#server/config/config.ts'
import type { Payments } from './port.ts'

type Settings = Pick<Config, 'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_API_URL'>

/** Payment by card as it is set up; null: orders are paid when buyers get them. The library is loaded only then. */
export async function openPayments(config: Settings): Promise<Payments | null> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = config
  if (secretKey === undefined || webhookSecret === undefined) return null
  const { stripePayments } = await import('./stripe.ts')
  return stripePayments({ secretKey, webhookSecret, apiUrl: config.STRIPE_API_URL })
}
