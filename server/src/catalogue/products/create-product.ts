import { randomUUID } from 'node:crypto'
import type { ManagedProduct } from '@befaqt/domain/api/manage-api'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { type CatalogueWriter, changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import { productColumns } from '#server/catalogue/product-columns.ts'
import { storedColumns } from '#server/db/column-map.ts'
import { products } from '#server/db/schema/shop.ts'
import type { StoringFiles } from '#server/files/store-file.ts'
import { withImages } from '#server/files/with-images.ts'
import type { Principal } from '#server/identity/principal.ts'
import type { NormalizedImage } from '#server/images/port.ts'
import { orderedImages } from './ordered-images.ts'
import type { NewProduct } from './product-form.ts'
import { managedProduct } from './read-products.ts'
import { auditedProduct, lockProductCategory, writeImages } from './write-product.ts'

/** Creates a product with its images. @throws ShopError `input.invalid`, also when its category was removed meanwhile */
export async function createProduct(
  deps: CatalogueWriter & StoringFiles & { now: () => Date },
  principal: Principal,
  { input, pictures }: { input: NewProduct; pictures: readonly NormalizedImage[] },
): Promise<ManagedProduct> {
  const { imagePaths: wanted, imageAlts: alts, ...fields } = input
  return withImages(deps, pictures, (keep) =>
    changeCatalogue(deps, async (tx) => {
      const stored = await keep(tx)
      await lockProductCategory(tx, fields.category_id)
      const uploads = stored.map(({ path }) => path)
      const images = orderedImages([], uploads, { wanted, alts })
      const id = randomUUID()
      const moment = { createdAt: deps.now(), updatedAt: deps.now() }
      await tx.insert(products).values({ ...storedColumns(productColumns, fields), id, ...moment })
      await writeImages(tx, id, images)
      const made = await managedProduct(tx, id)
      await writeAuditEntry(tx, principal, 'product', id, { before: null, after: auditedProduct(made) })
      return made
    }),
  )
}
