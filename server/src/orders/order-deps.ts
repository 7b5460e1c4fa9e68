import type { RecordingDeps } from '#server/boxes/index.ts'
import type { Cdn } from '#server/cdn/cdn.ts'
import type { Payments } from '#server/payments/port.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { OrderRules, SiteSettings } from '#server/site/index.ts'

/** What actions on orders take. */
export type OrderDeps = RecordingDeps & {
  secrets: Secrets
  config: { PUBLIC_URL: string }
  siteFile: { name: string; orders: OrderRules }
  site: Pick<SiteSettings, 'known'>
  /** Payment by card; null: orders are paid on receipt. */
  payments: Payments | null
  /** The caching proxy in front; null: there is none. */
  cdn: Cdn | null
}
