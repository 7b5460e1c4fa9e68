import { join } from 'node:path'
import { readChain } from '@befaqt/domain/api/endpoints/boxes'
import type { Logger } from 'pino'
import { argon2Passwords } from './accounts/credentials/passwords.ts'
import { openSessionStore } from './accounts/sessions/session-store.ts'
import { ledgerLocation } from './anchoring/ledger.ts'
import { BoxEvents } from './boxes/events/box-events.ts'
import { Catalogue } from './catalogue/catalogue.ts'
import { openChain } from './chain/open-chain.ts'
import type { Config } from './config/config.ts'
import { inDataDir } from './config/data-dir.ts'
import type { Database } from './db/client.ts'
import { EventFeed } from './db/event-feed.ts'
import type { Deps } from './deps.ts'
import { takeUpClaims } from './field/take-up-claims.ts'
import { countErrors } from './files/count-errors.ts'
import { openFileStore } from './files/disk.ts'
import { gazetteer } from './geocode/gazetteer.ts'
import { providerGeocoder } from './geocode/provider.ts'
import { limitedSearch } from './http/limits/limited-search.ts'
import { imageProcessor } from './images/image-processor.ts'
import { newIngestionState } from './ingestion/box-state-cache.ts'
import { openMailer } from './mail/mailer.ts'
import { NextSlots } from './orders/next-slots.ts'
import { openPayments } from './payments/open-payments.ts'
import { KEY_FILE, loadSecrets } from './secrets/key-file.ts'
import { readContent } from './site/content.ts'
import { readSiteFile } from './site/site.ts'

/** Builds what actions depend on. The chain that is opened here is closed with `deps.chain.close()`. */
export async function buildDeps(config: Config, log: Logger, database: Database): Promise<Deps> {
  const geocoder =
    config.GEOCODER_URL === undefined
      ? gazetteer
      : providerGeocoder(config.GEOCODER_URL, config.GEOCODER_KEY, log)
  const chain = await openChain(config)
  const fileErrors = { count: 0 }
  const rpc = config.CHAIN_PUBLIC_RPC_URL ?? `${config.PUBLIC_URL}${readChain.url}`
  const siteFile = await readSiteFile()
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
    files: countErrors(await openFileStore(config, log), fileErrors),
    fileErrors,
    takeUpClaims,
    images: imageProcessor(log),
    ingestion: newIngestionState(),
    catalogue: new Catalogue(database, siteFile.market.timeZone),
    search: limitedSearch(database),
    nextSlots: new NextSlots(database),
    boxEvents: new BoxEvents(database.db, log),
    events: new EventFeed(database, log),
    geocoder,
    chain,
    ledger: ledgerLocation(database.db, chain, rpc),
    siteFile,
    content: await readContent(),
  }
}
