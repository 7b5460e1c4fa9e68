import * as endpoints from '@befaqt/domain/api/endpoints/categories'
import { ManagedCategory } from '@befaqt/domain/api/manage-api'
import { CategoryInput, CategoryPatch, ImageAlt } from '@befaqt/domain/catalogue'
import { ShopError } from '@befaqt/domain/errors'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { CatalogueWriter } from '#server/catalogue/change-catalogue.ts'
import type { StoringFiles } from '#server/files/store-file.ts'
import { coerceFormFields } from '#server/http/coerce-form-fields.ts'
import { parse } from '#server/http/errors.ts'
import { fieldError } from '#server/http/field-error.ts'
import { hasFilters, ListQuery } from '#server/http/list-query.ts'
import { type Form, formBody, readForm } from '#server/http/multipart-form.ts'
import { expectedVersion, Version } from '#server/http/optimistic-lock.ts'
import { listOrPage } from '#server/http/response-schemas.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { normalizeImages } from '#server/images/normalize-images.ts'
import type { ImageProcessor, NormalizedImage } from '#server/images/port.ts'
import {
  allCategories,
  createCategory,
  deleteCategory,
  findCategory,
  listCategories,
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

export const NewCategory = CategoryInput.extend({ imageAlt: ImageAlt.default('') })
export const ChangedCategory = CategoryPatch.extend({ imageAlt: ImageAlt.optional(), version: Version })
export type NewCategory = z.infer<typeof NewCategory>
export type ChangedCategory = z.infer<typeof ChangedCategory>

const PICTURE = 'catImage'

/** A new category and its image. @throws ShopError `input.invalid`: the image is required. Source: spec §5 */
async function newCategory(
  pictures: ImageProcessor,
  form: Form,
): Promise<{ input: NewCategory; picture: NormalizedImage }> {
  const missing = { path: PICTURE, message: 'an image is required' }
  const input = parse(NewCategory, fieldsOf(form), form.files.length === 0 ? [missing] : [])
  const picture = await pictureOf(pictures, form)
  if (picture === undefined) throw fieldError(PICTURE, missing.message)
  return { input, picture }
}

/** The fields to change; a new image replaces the old one. */
async function changedCategory(
  pictures: ImageProcessor,
  form: Form,
): Promise<{ patch: ChangedCategory; picture?: NormalizedImage }> {
  const patch = parse(ChangedCategory, fieldsOf(form))
  const picture = await pictureOf(pictures, form)
  return picture === undefined ? { patch } : { patch, picture }
}

const fieldsOf = (form: Form): Record<string, unknown> =>
  coerceFormFields(form, { numbers: ['version'], booleans: [] })

async function pictureOf(pictures: ImageProcessor, { files }: Form): Promise<NormalizedImage | undefined> {
  const stray = files.find(({ field }) => field !== PICTURE)
  if (stray !== undefined) throw fieldError(stray.field, 'no file is accepted under this name')
  if (files.length > 1) throw fieldError(PICTURE, 'only one image is accepted')
  return (await normalizeImages(pictures, PICTURE, files))[0]
}
