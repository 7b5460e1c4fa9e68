import type { RecordingDeps } from '#server/boxes/records/add-records.ts'
import type { Config } from '#server/config/config.ts'
import type { Payments } from '#server/payments/port.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { OrderRules } from '#server/site/site.ts'

/** Who sells, as invoices say it. Without an ABN nothing is a tax invoice. */
export type Seller = Pick<Config, 'SELLER_NAME' | 'SELLER_ABN' | 'SELLER_ADDRESS'>

/** What actions on orders take. */
export type OrderDeps = RecordingDeps & {
  secrets: Secrets
  config: { PUBLIC_URL: string } & Seller
  siteFile: { name: string; orders: OrderRules }
  /** Payment by card; null: orders are paid on receipt. */
  payments: Payments | null
}
