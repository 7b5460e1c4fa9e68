import type { RecordingDeps } from '#server/boxes/records/add-records.ts'
import type { Secrets } from '#server/secrets/secrets.ts'

/** What actions on orders take. */
export type OrderDeps = RecordingDeps & {
  secrets: Secrets
  config: { PUBLIC_URL: string }
  siteFile: { name: string }
}
