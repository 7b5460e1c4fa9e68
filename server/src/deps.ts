import { join } from 'node:path'
import { readChain } from '@befaqt/domain/api/endpoints/boxes'
import type { Logger } from 'pino'
import { argon2Passwords, type Passwords } from './accounts/credentials/passwords.ts'
import { openSessionStore, type SessionStore } from './accounts/sessions/session-store.ts'
import { ledgerLocation } from './anchoring/ledger.ts'
import type { Wanted } from './backup/welcome/replace-shop.ts'
import { BoxEvents } from './boxes/events/box-events.ts'
import type { TakesUpClaims } from './boxes/records/hand-over.ts'
import { Catalogue } from './catalogue/catalogue.ts'
import { type Cdn, openCdn } from './cdn/cdn.ts'
import { openChain } from './chain/open-chain.ts'
import type { Chain, LedgerLocation } from './chain/port.ts'
import type { Config } from './config/config.ts'
import { inDataDir } from './config/data-dir.ts'
import type { Database, Db } from './db/client.ts'
import { EventFeed } from './db/event-feed.ts'
import { takeUpClaims } from './field/claims.ts'
import { countErrors, type FileErrors, type FileStore, openFileStore } from './files/file-store.ts'
import { type Geocoder, gazetteer, providerGeocoder } from './geocode/geocode.ts'
import { limitedSearch, type Search } from './http/limits/limited-search.ts'
import { type ImageProcessor, imageProcessor } from './images/image-processor.ts'
import { type IngestionState, newIngestionState } from './ingestion/box-state-cache.ts'
import { type Mailer, openMailer } from './mail/mailer.ts'
import { NextSlots } from './orders/next-slots.ts'
import type { Payments } from './payments/port.ts'
import { KEY_FILE, loadSecrets, type Secrets } from './secrets/secrets.ts'
import { readTexts } from './site/content-page.ts'
import { SiteSettings, setupOf } from './site/settings.ts'
import { readSiteFile, type SiteFile } from './site/site.ts'

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
  /** The caching proxy in front; null: there is none. */
  cdn: Cdn | null
  chain: Chain
  ledger: LedgerLocation
  siteFile: SiteFile
  site: SiteSettings
  /** Stops this process's shop and restores another in its place; null: it can't. */
  replaceShop: ((wanted: Wanted) => void) | null
}

/** Builds what actions depend on. The chain that is opened here is closed with `deps.chain.close()`. */
export async function buildDeps(config: Config, log: Logger, database: Database): Promise<Deps> {
  const geocoder =
    config.GEOCODER_URL === undefined
      ? gazetteer
      : providerGeocoder(config.GEOCODER_URL, config.GEOCODER_KEY, log)
  const chain = await openChain(config)
  const fileErrors = { count: 0 }
  const files = countErrors(await openFileStore(config, log), fileErrors)
  const rpc = config.CHAIN_PUBLIC_RPC_URL ?? `${config.PUBLIC_URL}${readChain.url}`
  const siteFile = await readSiteFile()
  const site = new SiteSettings(database, setupOf(config, siteFile, await readTexts()))
  await site.current() // so that it is known when the database does not answer
  return {
    config,
    database,
    db: database.db,
    log,
    now: () => new Date(),
    sessions: await openSessionStore(database),
    secrets: await inDataDir(join(config.DATA_DIR, KEY_FILE), () => loadSecrets(config.DATA_DIR)),
    passwords: argon2Passwords(),
    mailer: openMailer(config),
    payments: await openPayments(config),
    files,
    fileErrors,
    takeUpClaims,
    images: imageProcessor(log),
    ingestion: newIngestionState(),
    catalogue: new Catalogue(database, siteFile.market.timeZone),
    search: limitedSearch(database),
    nextSlots: new NextSlots(database),
    boxEvents: new BoxEvents({ db: database.db, files, log }),
    events: new EventFeed(database, log),
    geocoder,
    cdn: openCdn(config),
    chain,
    ledger: ledgerLocation(database.db, chain, rpc),
    siteFile,
    site,
    replaceShop: null,
  }
}

type Settings = Pick<Config, 'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_API_URL'>

/** Payment by card as it is set up; null: orders are paid when buyers get them. The library is loaded only then. */
async function openPayments(config: Settings): Promise<Payments | null> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = config
  if (secretKey === undefined || webhookSecret === undefined) return null
  const { stripePayments } = await import('./payments/stripe.ts')
  return stripePayments({ secretKey, webhookSecret, apiUrl: config.STRIPE_API_URL })
}
