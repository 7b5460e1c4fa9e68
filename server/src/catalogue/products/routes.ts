import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { parse } from '#server/http/errors.ts'
import { isAsked, ManageQuery } from '#server/http/manage-query.ts'
import { readForm } from '#server/http/read-form.ts'
import { wantedVersion } from '#server/http/version.ts'
import { mayTouchBox } from '#server/identity/principal.ts'
import { BulkChange, bulkChange } from './bulk-change.ts'
import { createProduct } from './create-product.ts'
import { productCsvRoutes } from './csv-routes.ts'
import { deleteProduct } from './delete-product.ts'
import { BoxLinks, linkBoxes } from './link-boxes.ts'
import { allProducts, listProducts } from './list-products.ts'
import { changedProduct, newProduct } from './product-form.ts'
import { managedProduct, seenBy } from './read-products.ts'
import { UndoChanges, undoChanges } from './undo-changes.ts'
import { updateProduct } from './update-product.ts'

type WithId = { Params: { id: string } }

/** Managing products. Source: spec §7. */
export function productRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/api/product', async (request) => {
    const query = parse(ManageQuery, request.query)
    return isAsked(query) ? listProducts(deps.db, query, request.asker) : allProducts(deps.db, request.asker)
  })
  app.get<WithId>('/api/product/:id/manage', async (request) =>
    seenBy(request.asker, await managedProduct(deps.db, request.params.id)),
  )
  app.post('/api/product', async (request, reply) => {
    await using form = await readForm(request)
    return reply
      .code(201)
      .send(await createProduct(deps, request.asker, await newProduct(deps.pictures, form)))
  })
  app.patch<WithId>('/api/product/:id', async (request) => {
    await using form = await readForm(request)
    const { patch, pictures } = await changedProduct(deps.pictures, form)
    const { version, ...fields } = patch
    const change = { patch: fields, pictures, version: wantedVersion(request, version) }
    return seenBy(request.asker, await updateProduct(deps, request.asker, request.params.id, change))
  })
  app.delete<WithId>('/api/product/:id', async (request, reply) => {
    await deleteProduct(deps, request.asker, request.params.id, wantedVersion(request))
    return reply.code(204).send()
  })
  app.put<WithId>('/api/product/:id/boxes', async (request) => {
    const links = parse(BoxLinks, request.body)
    for (const { boxID } of links) mayTouchBox(request.asker, boxID)
    await linkBoxes(deps, request.asker, request.params.id, links)
    return links
  })
  app.post('/api/product/bulk', async (request) => {
    const rows = await bulkChange(deps, request.asker, parse(BulkChange, request.body))
    return { changed: rows.length, rows }
  })
  app.post('/api/product/bulk/undo', (request) =>
    undoChanges(deps, request.asker, parse(UndoChanges, request.body)),
  )
  productCsvRoutes(app, deps)
}
