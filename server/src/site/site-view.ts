import type { Site } from '@befaqt/domain/api/site-api'
import { marketDate } from '@befaqt/domain/market-time'
import { abnText } from '@befaqt/domain/order-documents'
import type { Catalogue } from '#server/catalogue/catalogue.ts'
import type { LedgerLocation } from '#server/chain/port.ts'
import type { Config, Seller } from '#server/config/config.ts'
import type { SiteFile } from './site.ts'

export type SiteDeps = {
  config: Seller &
    Pick<Config, 'PUBLIC_URL' | 'MAP_TILES_URL' | 'MAP_ATTRIBUTION' | 'SMTP_URL' | 'STRIPE_SECRET_KEY'>
  siteFile: SiteFile
  ledger: LedgerLocation
  catalogue: Catalogue
  now: () => Date
}

/** Public site data: configuration, and where the ledger can be read. */
export async function siteView(deps: SiteDeps): Promise<Site> {
  const { config } = deps
  const { orders, ...siteFile } = deps.siteFile // the other rules of orders are the server's own
  const ledger = await deps.ledger.locate()
  const sample = await deps.catalogue.snapshot().then(
    (catalogue) => catalogue.sample,
    () => false, // pages report by themselves that the catalogue is unavailable
  )
  return {
    ...siteFile,
    publicUrl: config.PUBLIC_URL,
    seller: sellerText(config),
    today: marketDate(deps.now().getTime(), siteFile.market.timeZone),
    asOf: `${deps.now().toISOString().slice(0, 16)}:00Z`,
    map: { tiles: config.MAP_TILES_URL ?? null, attribution: config.MAP_ATTRIBUTION ?? null },
    chain: ledger,
    sample,
    cardPayment: config.STRIPE_SECRET_KEY !== undefined,
    orderLimits: { lineKg: orders.lineKg, linePieces: orders.linePieces },
    outbox: config.SMTP_URL === undefined,
  }
}

function sellerText({ SELLER_NAME: name, SELLER_ABN: abn }: Seller): string | null {
  if (name === undefined) return null
  return abn === undefined ? name : `${name}, ABN ${abnText(abn)}`
}
