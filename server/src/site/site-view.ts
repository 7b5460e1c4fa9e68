import type { Site } from '@befaqt/domain/api/site-api'
import type { Deps } from '#server/deps.ts'

/** What pages may know of the site: configuration, and where the ledger can be read. */
export async function siteView(deps: Deps): Promise<Site> {
  const { config, siteFile } = deps
  const ledger = await deps.ledger.where()
  const sample = await deps.catalogue.snapshot().then(
    (catalogue) => catalogue.sample,
    () => false, // pages say by themselves that the catalogue cannot be read
  )
  return {
    ...siteFile,
    publicUrl: config.PUBLIC_URL,
    map: { tiles: config.MAP_TILES_URL ?? null, attribution: config.MAP_ATTRIBUTION ?? null },
    chain: ledger,
    sample,
    outbox: config.SMTP_URL === undefined,
  }
}
