import { randomUUID } from 'node:crypto'
import type { ManagedCategory } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { storedCategory } from '#server/catalogue/category-columns.ts'
import { type CatalogueWriter, changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import { categories } from '#server/db/schema/shop.ts'
import { isUniqueViolation } from '#server/db/sql-errors.ts'
import type { StoringFiles } from '#server/files/store-file.ts'
import { withImages } from '#server/files/with-images.ts'
import type { Principal } from '#server/identity/principal.ts'
import type { NormalizedImage } from '#server/images/port.ts'
import type { NewCategory } from './category-form.ts'
import { auditedCategory, findCategory } from './list-categories.ts'

/** Creates a category with its image. @throws ShopError `category.title_taken` */
export async function createCategory(
  deps: CatalogueWriter & StoringFiles & { now: () => Date },
  principal: Principal,
  { input, picture }: { input: NewCategory; picture: NormalizedImage },
): Promise<ManagedCategory> {
  return withImages(deps, [picture], (keep) =>
    changeCatalogue(deps, async (tx) => {
      const [stored] = await keep(tx)
      const id = randomUUID()
      const now = deps.now()
      await tx.insert(categories).values({
        ...storedCategory(input),
        id,
        imagePath: stored?.path ?? null,
        imageAlt: input.imageAlt,
        createdAt: now,
        updatedAt: now,
      })
      const made = await findCategory(tx, id)
      if (made === undefined) throw new Error('the category was not written')
      await writeAuditEntry(tx, principal, 'category', id, { before: null, after: auditedCategory(made) })
      return made
    }),
  ).catch(rejectTakenTitle)
}

/** A title that differs from another only in white space or case would have the same URL. Source: product.md. */
export function rejectTakenTitle(error: unknown): never {
  if (!isUniqueViolation(error, 'categories_titleKey_unique')) throw error
  const message = 'There is a category with this title already (white space and case make no difference).'
  throw new ShopError('category.title_taken', message, { fields: [{ path: 'title', message }], cause: error })
}
