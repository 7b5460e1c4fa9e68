import type { ProductWindow } from '@befaqt/domain/catalogue'
import { MAX_DOLLARS, MAX_PAGE, MAX_SEARCH, MAX_TITLE_KEY, SHELF_WINDOW } from '@befaqt/domain/limits'
import { marketDate } from '@befaqt/domain/market-time'
import { filterProducts, type Sort, sorts } from '@befaqt/domain/product-filter'
import { titleKey } from '@befaqt/domain/title-path'
import { z } from 'zod'
import type { SiteFile } from '#server/site/site.ts'
import type { Catalogue } from './catalogue.ts'
import { cardOf } from './product-card.ts'

const whole = (max: number) => z.coerce.number().int('must be a whole number').min(1).max(max)
const cents = z.coerce
  .number()
  .int('must be a whole number of cents')
  .min(0)
  .max(MAX_DOLLARS * 100)

/** Which products are asked for, in which order, and which window of them. */
export const ShelfQuery = z.object({
  page: whole(MAX_PAGE).default(1).describe('from 1; after the last, the last'),
  size: whole(200).default(SHELF_WINDOW).describe('products of a page'),
  q: z
    .string()
    .max(MAX_SEARCH)
    .default('')
    .describe('words of title, description or place of catch; case and accents are ignored'),
  category: z
    .string()
    .max(MAX_TITLE_KEY)
    .default('')
    .describe('title of a category; one that does not exist leaves nothing out'),
  stock: z.literal('in').optional().describe('`in`: only what is in stock'),
  minCents: cents.optional().describe('cents per unit, after discount'),
  maxCents: cents.optional().describe('cents per unit, after discount'),
  fresh: whole(5).optional().describe('5: excellent; 4 or less: good or better'),
  sort: z.enum(Object.keys(sorts) as [Sort, ...Sort[]]).default('shelf'),
})
type ShelfQuery = z.infer<typeof ShelfQuery>

export type ShelfDeps = {
  catalogue: Catalogue
  siteFile: Pick<SiteFile, 'market'>
  now: () => Date
}

/** One window of the products on sale that the query asks for, from the catalogue in memory. */
export async function productWindow(
  { catalogue, siteFile, now }: ShelfDeps,
  query: ShelfQuery,
): Promise<ProductWindow> {
  const { products, categories } = await catalogue.snapshot()
  const { size, q, stock, minCents = null, maxCents = null, fresh, sort } = query
  const named = titleKey(query.category)
  const category = categories.find(({ title }) => titleKey(title) === named)
  const filter = {
    q: q.trim(),
    category: named,
    inStock: stock === 'in',
    minCents,
    maxCents,
    fresh: fresh === undefined ? 0 : Math.max(4, fresh),
    sort,
  }
  const at = now().getTime()
  const asOf = { at, today: marketDate(at, siteFile.market.timeZone) }
  const found = filterProducts(products, filter, category?._id ?? null, asOf)
  const page = Math.min(query.page, Math.max(1, Math.ceil(found.length / size)))
  const rows = found.slice((page - 1) * size, page * size).map(cardOf)
  return { rows, page, size, total: found.length, onSale: products.length }
}
