import type { Duplicated } from '@befaqt/domain/api/manage-api'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import {
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
} from '#server/catalogue/change-catalogue.ts'
import { type ProductColumns, productColumns } from '#server/catalogue/columns.ts'
import { shownFields, storedColumns } from '#server/db/column-map.ts'
import { lock } from '#server/db/lock.ts'
import { changes, products } from '#server/db/schema/shop.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { choiceShape, chosenProducts, oneChoice } from './chosen-products.ts'
import type { ProductRow } from './read-products.ts'
import { derivedId, insertMany } from './write-many.ts'

/** Copies per call. */
const MAX_COPIES = 500

/** Products to copy. `key` names the request: sent again, it makes nothing twice. */
export const DuplicateProducts = z
  .strictObject({ ...choiceShape(MAX_COPIES), key: z.uuid('key must be a UUID') })
  .superRefine(oneChoice)
export type DuplicateProducts = z.infer<typeof DuplicateProducts>

/** The id of the copy of a product that one request makes. */
const idOfCopy = (key: string, of: string): string => derivedId(`${key} ${of}`)

const MAX_TITLE = 120
const SUFFIX = ' (copy)'
/** The first half of a character that was cut in two, which no text can hold. */
const HALF = /[\ud800-\udbff]$/

/** What a copy is at first: a draft without stock, plan or boxes, at the discount from before a markdown that goes on. */
function copyOf(row: ProductRow): ProductColumns {
  const { markdown } = row.schedule
  const isMarkedDown = markdown?.before !== null && row.discount === markdown?.percent
  return storedColumns(productColumns, {
    ...shownFields(productColumns, row),
    title: `${row.title.slice(0, MAX_TITLE - SUFFIX.length).replace(HALF, '')}${SUFFIX}`,
    status: 'INACTIVE',
    stock: 0,
    discount: isMarkedDown ? (markdown?.before ?? row.discount) : row.discount,
  })
}

/**
 * Makes a copy of each product, with its pictures: all or none. Copies that the same request has made before are answered
 * and not made again.
 * @throws ShopError `product.not_found`, `conflict` where others match than the caller knows
 */
export async function duplicateProducts(
  deps: CatalogueWriter & { now: () => Date },
  principal: Principal,
  { key, ...choice }: DuplicateProducts,
): Promise<Duplicated[]> {
  const { rows } = await changeCatalogue(
    deps,
    async (tx) => {
      const read = async (ids: Iterable<string>) => (await lock(tx).products(ids, 'key share'))[0]
      const found = await chosenProducts(tx, choice, read, (id) => idOfCopy(key, id))
      const copies = new Map(found.map((row) => [idOfCopy(key, row.id), row]))
      const made = [...copies].map(([id, row]) => ({ ...copyOf(row), id }))
      const entries = await insertMany(tx, actorId(principal), made, deps.now())
      const added = [...entries.keys()]
      await copyImages(tx, new Map(added.map((id) => [id, copies.get(id)?.id ?? ''])))
      return { rows: await answered(tx, new Map([...copies].map(([id, row]) => [id, row.id]))), added }
    },
    ({ added }) => added.length > 0,
    ({ added }) => ({ products: added }),
  )
  return rows
}

/** @param copies originals by the ids of their copies */
async function copyImages(tx: CatalogueTx, copies: ReadonlyMap<string, string>): Promise<void> {
  const values = JSON.stringify([...copies].map(([id, of]) => ({ id, of })))
  await tx.execute(
    sql`insert into product_images (product_id, position, path, alt)
        select c.id, i.position, i.path, i.alt
        from jsonb_to_recordset(${values}::jsonb) as c(id text, of text)
        join product_images i on i.product_id = c.of`,
  )
}

/** The copies that there are, each with the change that made it. */
async function answered(tx: CatalogueTx, copies: ReadonlyMap<string, string>): Promise<Duplicated[]> {
  const found = await tx
    .select({ _id: products.id, title: products.title, change: changes.id })
    .from(products)
    .innerJoin(
      changes,
      and(eq(changes.entity, 'product'), eq(changes.entityId, products.id), eq(changes.action, 'create')),
    )
    .where(inArray(products.id, [...copies.keys()]))
    .orderBy(products.search, products.id)
  return found.map((row) => ({ ...row, of: copies.get(row._id) ?? '' }))
}
