import type { PickUpPlace } from '@befaqt/domain/place'
import type { RecordingDeps } from '#server/boxes/index.ts'
import type { Seller } from '#server/config/config.ts'
import type { Payments } from '#server/payments/port.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { OrderRules } from '#server/site/index.ts'

/** What actions on orders take. */
export type OrderDeps = RecordingDeps & {
  secrets: Secrets
  config: { PUBLIC_URL: string } & Seller
  siteFile: { name: string; orders: OrderRules; market: PickUpPlace }
  /** Payment by card; null: orders are paid on receipt. */
  payments: Payments | null
}
