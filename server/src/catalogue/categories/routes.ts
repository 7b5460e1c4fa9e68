import * as endpoints from '@befaqt/domain/api/endpoints/managed-catalogue'
import { ManagedCategory } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import type { FastifyInstance } from 'fastify'
import type { CatalogueWriter } from '#server/catalogue/change-catalogue.ts'
import type { StoringFiles } from '#server/files/store-file.ts'
import { hasFilters, ListQuery } from '#server/http/list-query.ts'
import { formBody, readForm } from '#server/http/multipart-form.ts'
import { expectedVersion } from '#server/http/optimistic-lock.ts'
import { listOrPage } from '#server/http/response-schemas.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import type { ImageProcessor } from '#server/images/image-processor.ts'
import {
  allCategories,
  ChangedCategory,
  changedCategory,
  createCategory,
  deleteCategory,
  findCategory,
  listCategories,
  NewCategory,
  newCategory,
  updateCategory,
} from './categories.ts'

const access = { right: 'shop:write' } as const
const wide = { right: 'shop:write', allBoxes: true } as const

export const categoryOperations = defineRoutes(endpoints, {
  listCategories: {
    summary: 'All categories, or a page of them.',
    access,
    limits: 'manage-read',
    query: ListQuery,
    responses: { 200: listOrPage(ManagedCategory) },
  },
  readManagedCategory: {
    summary: 'One category with its version, of any status.',
    access,
    limits: 'manage-read',
    responses: { 200: ManagedCategory },
  },
  createCategory: {
    summary: 'Add a category; file catImage, its words imageAlt.',
    access: wide,
    limits: 'upload',
    body: formBody(NewCategory, 'catImage'),
    responses: { 201: ManagedCategory },
  },
  updateCategory: {
    summary: 'Change a category. A stale If-Match or field version is refused with the current state.',
    access: wide,
    limits: 'upload',
    body: formBody(ChangedCategory, 'catImage'),
    responses: { 200: ManagedCategory },
  },
  deleteCategory: {
    summary: 'Delete a DISABLED category without products.',
    access: wide,
    limits: 'manage-write',
    responses: { 204: null },
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const categoryReads = {
  listCategories: ({ db }, { query }) => (hasFilters(query) ? listCategories(db, query) : allCategories(db)),
  readManagedCategory: async ({ db }, { params }) => {
    const category = await findCategory(db, params.id)
    if (category === undefined) throw new ShopError('category.not_found', 'There is no such category.')
    return category
  },
} satisfies Reads<typeof categoryOperations, Pick<CatalogueWriter, 'db'>>

/** Managing categories. Source: spec §7. */
export function categoryRoutes(
  app: FastifyInstance,
  deps: CatalogueWriter & StoringFiles & { now: () => Date; images: ImageProcessor },
): void {
  registerReads(app, categoryOperations, categoryReads, deps)
  registerRoute(app, categoryOperations.createCategory, async ({ principal, request }) => {
    await using form = await readForm(request)
    return await createCategory(deps, principal, await newCategory(deps.images, form))
  })
  registerRoute(app, categoryOperations.updateCategory, async ({ principal, params, request }) => {
    await using form = await readForm(request)
    const { patch, ...rest } = await changedCategory(deps.images, form)
    const { version, ...fields } = patch
    const change = { ...rest, patch: fields, version: expectedVersion(request, version) }
    return await updateCategory(deps, principal, params.id, change)
  })
  registerRoute(app, categoryOperations.deleteCategory, async ({ principal, params, request }) => {
    await deleteCategory(deps, principal, params.id, expectedVersion(request))
    return undefined
  })
}
