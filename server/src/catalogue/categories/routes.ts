import { ManagedCategory } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { wholeOrPage } from '#server/http/answers.ts'
import { isAsked, ManageQuery } from '#server/http/manage-query.ts'
import { formOf, readForm } from '#server/http/read-form.ts'
import { defineRoutes, serve } from '#server/http/route.ts'
import { wantedVersion } from '#server/http/version.ts'
import { ChangedCategory, changedCategory, NewCategory, newCategory } from './category-form.ts'
import { createCategory } from './create-category.ts'
import { deleteCategory } from './delete-category.ts'
import { allCategories, findCategory, listCategories } from './list-categories.ts'
import { updateCategory } from './update-category.ts'

const access = { right: 'shop:write' } as const

export const categoryCalls = defineRoutes({
  listCategories: {
    method: 'GET',
    url: '/api/category',
    summary: 'All categories, or a page of them.',
    access,
    limits: 'manage-read',
    query: ManageQuery,
    answers: { 200: wholeOrPage(ManagedCategory) },
  },
  readManagedCategory: {
    method: 'GET',
    url: '/api/category/:id/manage',
    summary: 'One category with its version, of any status.',
    access,
    limits: 'manage-read',
    answers: { 200: ManagedCategory },
  },
  createCategory: {
    method: 'POST',
    url: '/api/category',
    summary: 'Add a category; file catImage, its words imageAlt.',
    access,
    limits: 'upload',
    body: formOf(NewCategory, 'catImage'),
    answers: { 201: ManagedCategory },
  },
  updateCategory: {
    method: 'PATCH',
    url: '/api/category/:id',
    summary: 'Change a category. A stale If-Match or field version is refused with what stands there now.',
    access,
    limits: 'upload',
    body: formOf(ChangedCategory, 'catImage'),
    answers: { 200: ManagedCategory },
  },
  deleteCategory: {
    method: 'DELETE',
    url: '/api/category/:id',
    summary: 'Delete a DISABLED category without products.',
    access,
    limits: 'manage-write',
    answers: { 204: null },
  },
})

/** Managing categories. Source: spec §7. */
export function categoryRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, categoryCalls.listCategories, ({ query }) =>
    isAsked(query) ? listCategories(deps.db, query) : allCategories(deps.db),
  )
  serve(app, categoryCalls.readManagedCategory, async ({ params }) => {
    const category = await findCategory(deps.db, params.id)
    if (category === undefined) throw new ShopError('category.not_found', 'There is no such category.')
    return category
  })
  serve(app, categoryCalls.createCategory, async ({ asker, request }) => {
    await using form = await readForm(request)
    return await createCategory(deps, asker, await newCategory(deps.pictures, form))
  })
  serve(app, categoryCalls.updateCategory, async ({ asker, params, request }) => {
    await using form = await readForm(request)
    const { patch, ...rest } = await changedCategory(deps.pictures, form)
    const { version, ...fields } = patch
    const change = { ...rest, patch: fields, version: wantedVersion(request, version) }
    return await updateCategory(deps, asker, params.id, change)
  })
  serve(app, categoryCalls.deleteCategory, async ({ asker, params, request }) => {
    await deleteCategory(deps, asker, params.id, wantedVersion(request))
    return undefined
  })
}
