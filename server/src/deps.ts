import type { ContentPage } from '@befaqt/domain/api/site-api'
import type { Logger } from 'pino'
import type { Passwords } from './accounts/credentials/passwords.ts'
import type { SessionStore } from './accounts/sessions/session-store.ts'
import type { BoxEvents } from './boxes/events/box-events.ts'
import type { TakesUpClaims } from './boxes/records/hand-over.ts'
import type { Catalogue } from './catalogue/catalogue.ts'
import type { Chain, LedgerLocation } from './chain/port.ts'
import type { Config } from './config/config.ts'
import type { Database, Db } from './db/client.ts'
import type { EventFeed } from './db/event-feed.ts'
import type { FileErrors } from './files/count-errors.ts'
import type { FileStore } from './files/port.ts'
import type { Geocoder } from './geocode/port.ts'
import type { Search } from './http/limits/limited-search.ts'
import type { ImageProcessor } from './images/port.ts'
import type { IngestionState } from './ingestion/box-state-cache.ts'
import type { Mailer } from './mail/mailer.ts'
import type { NextSlots } from './orders/next-slots.ts'
import type { Payments } from './payments/port.ts'
import type { Secrets } from './secrets/secrets.ts'
import type { SiteFile } from './site/site.ts'

/**
 * Everything that actions depend on, built once by `buildDeps`. Only the composition root knows this type: every
 * other function declares the part that it needs.
 */
export type Deps = TakesUpClaims & {
  config: Config
  database: Database
  db: Db
  log: Logger
  /** The clock, so that tests can choose the time. */
  now: () => Date
  sessions: SessionStore
  secrets: Secrets
  passwords: Passwords
  mailer: Mailer
  /** Payment by card; null: orders are paid on receipt. */
  payments: Payments | null
  files: FileStore
  fileErrors: FileErrors
  images: ImageProcessor
  ingestion: IngestionState
  catalogue: Catalogue
  boxEvents: BoxEvents
  events: EventFeed
  search: Search
  nextSlots: NextSlots
  geocoder: Geocoder
  chain: Chain
  ledger: LedgerLocation
  siteFile: SiteFile
  content: ReadonlyMap<string, ContentPage>
}
