import type { ManagedCategory } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import { eq } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { storedCategory } from '#server/catalogue/category-columns.ts'
import {
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
} from '#server/catalogue/change-catalogue.ts'
import { categories } from '#server/db/schema/shop.ts'
import { enqueueUnused } from '#server/files/remove-unused.ts'
import type { StoringFiles } from '#server/files/store-file.ts'
import { withImages } from '#server/files/with-images.ts'
import { checkVersion } from '#server/http/optimistic-lock.ts'
import type { Principal } from '#server/identity/principal.ts'
import type { NormalizedImage } from '#server/images/port.ts'
import type { ChangedCategory } from './category-form.ts'
import { rejectTakenTitle } from './create-category.ts'
import { auditedCategory, findCategory } from './list-categories.ts'

/**
 * Changes a category. A new image replaces the old one, which is removed unless something else refers to it.
 * @throws ShopError `category.not_found`, `category.title_taken`, `version.stale`
 */
export async function updateCategory(
  deps: CatalogueWriter & StoringFiles & { now: () => Date },
  principal: Principal,
  id: string,
  change: { patch: Omit<ChangedCategory, 'version'>; picture?: NormalizedImage; version: number | undefined },
): Promise<ManagedCategory> {
  const { patch, picture, version } = change
  return withImages(deps, picture ? [picture] : [], (keep) =>
    changeCatalogue(deps, async (tx) => {
      const [stored] = await keep(tx)
      const before = await lockCategory(tx, id)
      checkVersion(version, before)
      await tx
        .update(categories)
        .set({
          ...storedCategory(patch),
          ...(patch.imageAlt !== undefined && { imageAlt: patch.imageAlt }),
          ...(stored && { imagePath: stored.path }),
          version: before.version + 1,
          updatedAt: deps.now(),
        })
        .where(eq(categories.id, id))
      if (stored && before.imagePath !== '' && before.imagePath !== stored.path)
        await enqueueUnused(tx, [before.imagePath])
      const after = (await findCategory(tx, id)) ?? before
      await writeAuditEntry(tx, principal, 'category', id, {
        before: auditedCategory(before),
        after: auditedCategory(after),
      })
      return after
    }),
  ).catch(rejectTakenTitle)
}

/** Reads and locks the category until the transaction ends. @throws ShopError `category.not_found` */
export async function lockCategory(tx: CatalogueTx, id: string): Promise<ManagedCategory> {
  await tx.select({ id: categories.id }).from(categories).where(eq(categories.id, id)).for('update')
  const category = await findCategory(tx, id)
  if (category === undefined) throw new ShopError('category.not_found', 'There is no such category.')
  return category
}
