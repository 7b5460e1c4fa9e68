import { urlOf } from '@befaqt/domain/api/endpoint'
import { readEpcis } from '@befaqt/domain/api/endpoints/box-trade'
import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import { BoxID } from '@befaqt/domain/box-values'
import type { DigitalLink } from '@befaqt/domain/gs1'
import { numberOfSscc } from '@befaqt/domain/gs1'
import { boxPath, productPath } from '@befaqt/domain/page-paths'
import { and, eq } from 'drizzle-orm'
import { isOnSale } from '#server/boxes/lock-box.ts'
import { holdsFish } from '#server/boxes/register-boxes.ts'
import type { Catalogue } from '#server/catalogue/catalogue.ts'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { productBoxes } from '#server/db/schema/shop.ts'
import type { Links, Target } from './link-set.ts'

/** What resolving needs of the world. */
export type ResolverDeps = {
  db: Db
  catalogue: Catalogue
  config: Pick<Config, 'PUBLIC_URL' | 'GS1_COMPANY_PREFIX'>
  siteFile: { name: string }
}

/**
 * The box that a link names: by its SSCC; or, of a GTIN of ours, by lot or serial number, which are its id. Null when
 * there is none, and always without a company prefix: then no key is ours.
 */
export async function boxOfLink({ db, config }: ResolverDeps, link: DigitalLink): Promise<string | null> {
  const prefix = config.GS1_COMPANY_PREFIX
  if (prefix === undefined) return null
  const condition = link.ai === '00' ? byNumber(prefix, link.key) : byLot(prefix, link)
  if (condition === null) return null
  const [found] = await db.select({ id: boxes.id }).from(boxes).where(and(condition, holdsFish))
  return found?.id ?? null
}

function byNumber(prefix: string, sscc: string) {
  const number = numberOfSscc(prefix, sscc)
  return number === null || number > 0x7fffffff ? null : eq(boxes.labelNumber, number)
}

/** A GTIN-14 begins with an indicator, then comes the company prefix. */
function byLot(prefix: string, { key, lot, serial }: Extract<DigitalLink, { ai: '01' }>) {
  const boxID = lot ?? serial
  if (!key.slice(1).startsWith(prefix) || !BoxID.safeParse(boxID).success) return null
  return eq(boxes.id, boxID ?? '')
}

/** Where a box leads to; a product only while one from it is on sale, and its recall while it is recalled. */
export async function linksOfBox({ db, catalogue, config }: ResolverDeps, boxID: string): Promise<Links> {
  const at = (path: string): string => `${config.PUBLIC_URL}${path}`
  const page: Target = {
    href: at(boxPath(boxID)),
    type: 'text/html',
    title: `Fish box ${boxID} from catch to assessment`,
  }
  const proof: Target = {
    href: at(urlOf(readProof, { params: { boxID } })),
    type: 'application/json',
    title: `Proof of the history of fish box ${boxID}`,
  }
  const epcis: Target = {
    href: at(urlOf(readEpcis, { params: { boxID } })),
    type: 'application/ld+json',
    title: `EPCIS document of fish box ${boxID}`,
  }
  const [box] = await db.select().from(boxes).where(eq(boxes.id, boxID))
  const mayBeSold = box !== undefined && isOnSale(box)
  const linked = await db
    .select({ id: productBoxes.productId })
    .from(productBoxes)
    .where(eq(productBoxes.boxId, boxID))
  const ids = new Set(linked.map(({ id }) => id))
  const products = (await catalogue.snapshot()).products
    .filter(({ _id }) => mayBeSold && ids.has(_id))
    .map(({ _id, title }) => ({ href: at(productPath(_id)), type: 'text/html', title }))
  return new Map([
    ['defaultLink', [page]],
    ['traceability', [page, proof]],
    ['epcis', [epcis]],
    ...(box?.recallId == null
      ? []
      : ([['recallStatus', [{ ...page, title: `Fish box ${boxID} is recalled: do not eat it` }]]] as const)),
    ...(products.length > 0 ? ([['pip', products]] as const) : []),
  ])
}
