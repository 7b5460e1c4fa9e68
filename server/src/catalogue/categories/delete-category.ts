import { ShopError } from '@befaqt/domain/errors'
import { eq } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { type CatalogueWriter, changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import { categories } from '#server/db/schema/shop.ts'
import { enqueueUnused } from '#server/files/remove-unused.ts'
import { checkVersion } from '#server/http/optimistic-lock.ts'
import type { Principal } from '#server/identity/principal.ts'
import { auditedCategory } from './list-categories.ts'
import { lockCategory } from './update-category.ts'

/**
 * Deletes a DISABLED category without products, and its image unless something else refers to it.
 * @throws ShopError `category.not_found`, `delete.not_disabled`, `category.has_products`, `version.stale`
 */
export async function deleteCategory(
  deps: CatalogueWriter,
  principal: Principal,
  id: string,
  version: number | undefined,
): Promise<void> {
  await changeCatalogue(deps, async (tx) => {
    const category = await lockCategory(tx, id)
    checkVersion(version, category)
    if (category.status !== 'DISABLED')
      throw new ShopError('delete.not_disabled', 'Only a DISABLED category can be deleted.')
    if (category.products > 0)
      throw new ShopError(
        'category.has_products',
        `This category has ${category.products} ${category.products === 1 ? 'product' : 'products'}. Move or delete them first.`,
        { details: { products: category.products } },
      )
    await tx.delete(categories).where(eq(categories.id, id))
    if (category.imagePath !== '') await enqueueUnused(tx, [category.imagePath])
    await writeAuditEntry(tx, principal, 'category', id, { before: auditedCategory(category), after: null })
  })
}
