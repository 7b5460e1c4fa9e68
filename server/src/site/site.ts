import { readFile } from 'node:fs/promises'
import type { Site } from '@befaqt/domain/api/site-api'
import { marketDate } from '@befaqt/domain/market-time'
import { abnText } from '@befaqt/domain/order-documents'
import { z } from 'zod'
import type { Catalogue } from '#server/catalogue/index.ts'
import type { LedgerLocation } from '#server/chain/port.ts'
import type { Config } from '#server/config/config.ts'
import type { Seller, SiteSettings } from './settings.ts'

const link = z.url({ protocol: /^https?$/ })

/**
 * What keeps one visitor from taking all. `lineKg`, `linePieces`: the most that a line of an order takes, unless the
 * product has a limit of its own; `networkShare`: the part of a product's stock and of a time's capacity that open
 * checkouts and unconfirmed orders of one network take together; `firstOrderDollars`, `firstOrderKg`: above one of these
 * a first order waits until it is confirmed.
 */
const OrderRules = z.object({
  lineKg: z.number().positive().default(20),
  linePieces: z.int().positive().default(50),
  networkShare: z.number().positive().max(1).default(0.25),
  firstOrderDollars: z.number().positive().default(500),
  firstOrderKg: z.number().positive().default(20),
})
export type OrderRules = z.infer<typeof OrderRules>

/** `server/content/site.json`: names, partners, award, sample box, market, links of the footer, and limits of orders. */
const SiteFile = z.object({
  name: z.string(),
  fullName: z.string(),
  /** Where boxes arrive, and where orders are picked up until an administrator names another place. */
  market: z.object({
    name: z.string(),
    address: z.string().trim().min(1).max(300).optional(),
    timeZone: z.string(),
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
  }),
  partners: z.array(z.object({ name: z.string(), url: link, kind: z.string() })),
  award: z.object({ text: z.string(), url: link }),
  sampleBox: z.string(),
  /** What a shop has to say, in the order of the footer: pages of `server/content`. */
  pages: z.array(z.object({ path: z.string().startsWith('/about/'), title: z.string() })).default([]),
  orders: OrderRules.prefault({}),
})
export type SiteFile = z.infer<typeof SiteFile>

export const CONTENT_FOLDER = new URL('../../content/', import.meta.url)

/** Reads the site configuration. @throws when it is invalid, which stops the start */
export async function readSiteFile(): Promise<SiteFile> {
  return SiteFile.parse(JSON.parse(await readFile(new URL('site.json', CONTENT_FOLDER), 'utf8')))
}

export type SiteDeps = {
  config: Pick<Config, 'PUBLIC_URL' | 'MAP_TILES_URL' | 'MAP_ATTRIBUTION' | 'SMTP_URL' | 'STRIPE_SECRET_KEY'>
  siteFile: SiteFile
  site: Pick<SiteSettings, 'current'>
  ledger: LedgerLocation
  catalogue: Catalogue
  now: () => Date
}

/** Public site data: configuration, and where the ledger can be read. */
export async function siteView(deps: SiteDeps): Promise<Site> {
  const { config } = deps
  const { name, fullName, orders, market, pages } = deps.siteFile
  const { address: _, ...landing } = market
  const { seller, place, areas, partners, award, sampleBox } = await deps.site.current()
  const ledger = await deps.ledger.locate()
  const sample = await deps.catalogue.snapshot().then(
    (catalogue) => catalogue.sample,
    () => false, // pages report by themselves that the catalogue is unavailable
  )
  return {
    ...{ name, fullName, partners, award, sampleBox, pages },
    publicUrl: config.PUBLIC_URL,
    market: landing,
    pickUp: place,
    ...(areas.some(({ fee }) => fee > 0) && { deliveryFees: true as const }),
    seller: sellerText(seller),
    today: marketDate(deps.now().getTime(), market.timeZone),
    asOf: `${deps.now().toISOString().slice(0, 16)}:00Z`,
    map: { tiles: config.MAP_TILES_URL ?? null, attribution: config.MAP_ATTRIBUTION ?? null },
    chain: ledger,
    sample,
    cardPayment: config.STRIPE_SECRET_KEY !== undefined,
    // The other rules of orders are the server's own.
    orderLimits: { lineKg: orders.lineKg, linePieces: orders.linePieces },
    outbox: config.SMTP_URL === undefined,
  }
}

function sellerText({ name, abn }: Seller): string | null {
  if (name === undefined) return null
  return abn === undefined ? name : `${name}, ABN ${abnText(abn)}`
}
