import { ShopError } from '@befaqt/domain/errors'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { parse } from '#server/http/errors.ts'
import { isAsked, ManageQuery } from '#server/http/manage-query.ts'
import { readForm } from '#server/http/read-form.ts'
import { wantedVersion } from '#server/http/version.ts'
import { changedCategory, newCategory } from './category-form.ts'
import { createCategory } from './create-category.ts'
import { deleteCategory } from './delete-category.ts'
import { allCategories, findCategory, listCategories } from './list-categories.ts'
import { updateCategory } from './update-category.ts'

type WithId = { Params: { id: string } }

/** Managing categories. Source: spec §7. */
export function categoryRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/api/category', async (request) => {
    const query = parse(ManageQuery, request.query)
    return isAsked(query) ? listCategories(deps.db, query) : allCategories(deps.db)
  })
  app.get<WithId>('/api/category/:id/manage', async (request) => {
    const category = await findCategory(deps.db, request.params.id)
    if (category === undefined) throw new ShopError('category.not_found', 'There is no such category.')
    return category
  })
  app.post('/api/category', async (request, reply) => {
    await using form = await readForm(request)
    return reply
      .code(201)
      .send(await createCategory(deps, request.asker, await newCategory(deps.pictures, form)))
  })
  app.patch<WithId>('/api/category/:id', async (request) => {
    await using form = await readForm(request)
    const { patch, ...rest } = await changedCategory(deps.pictures, form)
    const { version, ...fields } = patch
    const change = { ...rest, patch: fields, version: wantedVersion(request, version) }
    return await updateCategory(deps, request.asker, request.params.id, change)
  })
  app.delete<WithId>('/api/category/:id', async (request, reply) => {
    await deleteCategory(deps, request.asker, request.params.id, wantedVersion(request))
    return reply.code(204).send()
  })
}
