import { BulkChanged, ManagedProduct, Undone } from '@befaqt/domain/api/manage-api'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { wholeOrPage } from '#server/http/answers.ts'
import { isAsked, ManageQuery } from '#server/http/manage-query.ts'
import { formOf, readForm } from '#server/http/read-form.ts'
import { defineRoutes, serve } from '#server/http/route.ts'
import { wantedVersion } from '#server/http/version.ts'
import { mayTouchBox } from '#server/identity/principal.ts'
import { BulkChange, bulkChange } from './bulk-change.ts'
import { createProduct } from './create-product.ts'
import { productCsvRoutes } from './csv-routes.ts'
import { deleteProduct } from './delete-product.ts'
import { BoxLinks, linkBoxes } from './link-boxes.ts'
import { allProducts, listProducts } from './list-products.ts'
import { ChangedProduct, changedProduct, NewProduct, newProduct } from './product-form.ts'
import { managedProduct, seenBy } from './read-products.ts'
import { UndoChanges, undoChanges } from './undo-changes.ts'
import { updateProduct } from './update-product.ts'

const access = { right: 'shop:write' } as const

export const productCalls = defineRoutes({
  listProducts: {
    method: 'GET',
    url: '/api/product',
    summary: 'All products, or a page of them. A key for some boxes is told of links to those only.',
    access,
    limits: 'manage-read',
    query: ManageQuery,
    answers: { 200: wholeOrPage(ManagedProduct) },
  },
  readManagedProduct: {
    method: 'GET',
    url: '/api/product/:id/manage',
    summary: 'One product with its version and boxes, of any status.',
    access,
    limits: 'manage-read',
    answers: { 200: ManagedProduct },
  },
  createProduct: {
    method: 'POST',
    url: '/api/product',
    summary: 'Add a product; files productImages, their words imageAlts[].',
    access,
    limits: 'upload',
    body: formOf(NewProduct, 'productImages'),
    answers: { 201: ManagedProduct },
  },
  updateProduct: {
    method: 'PATCH',
    url: '/api/product/:id',
    summary:
      'Change a product; imagePaths[] are the pictures that stay, in order, new:0 being the first file. A stale If-Match or field version is refused with what stands there now.',
    access,
    limits: 'upload',
    body: formOf(ChangedProduct, 'productImages'),
    answers: { 200: ManagedProduct },
  },
  deleteProduct: {
    method: 'DELETE',
    url: '/api/product/:id',
    summary: 'Delete a DISABLED product; a key for some boxes only one that comes from no others.',
    access,
    limits: 'manage-write',
    answers: { 204: null },
  },
  linkBoxes: {
    method: 'PUT',
    url: '/api/product/:id/boxes',
    summary: 'Say which boxes a product comes from; links to boxes that a key may not touch stay.',
    access,
    limits: 'manage-write',
    body: BoxLinks,
    answers: { 200: z.array(z.strictObject({ boxID: z.string(), quantity: z.number() })) },
  },
  changeProducts: {
    method: 'POST',
    url: '/api/product/bulk',
    summary:
      'Change status, stock or price of many products: all or none. Answers those that are different now, each with the change that undoes it.',
    access,
    limits: 'bulk',
    body: BulkChange,
    answers: { 200: z.strictObject({ changed: z.int(), rows: z.array(BulkChanged) }) },
    refusals: [404],
  },
  undoChanges: {
    method: 'POST',
    url: '/api/product/bulk/undo',
    summary:
      'Undo changes that a bulk change has answered, where the product was not changed since: only what they changed. Answers what is different now and what is left as it is.',
    access,
    limits: 'bulk',
    body: UndoChanges,
    answers: { 200: Undone },
    refusals: [404],
  },
})

/** Managing products. Source: spec §7. */
export function productRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, productCalls.listProducts, ({ query, asker }) =>
    isAsked(query) ? listProducts(deps.db, query, asker) : allProducts(deps.db, asker),
  )
  serve(app, productCalls.readManagedProduct, async ({ params, asker }) =>
    seenBy(asker, await managedProduct(deps.db, params.id)),
  )
  serve(app, productCalls.createProduct, async ({ asker, request }) => {
    await using form = await readForm(request)
    return await createProduct(deps, asker, await newProduct(deps.pictures, form))
  })
  serve(app, productCalls.updateProduct, async ({ asker, params, request }) => {
    await using form = await readForm(request)
    const { patch, pictures } = await changedProduct(deps.pictures, form)
    const { version, ...fields } = patch
    const change = { patch: fields, pictures, version: wantedVersion(request, version) }
    return seenBy(asker, await updateProduct(deps, asker, params.id, change))
  })
  serve(app, productCalls.deleteProduct, async ({ asker, params, request }) => {
    await deleteProduct(deps, asker, params.id, wantedVersion(request))
    return undefined
  })
  serve(app, productCalls.linkBoxes, async ({ asker, params, body: links }) => {
    for (const { boxID } of links) mayTouchBox(asker, boxID)
    await linkBoxes(deps, asker, params.id, links)
    return links
  })
  serve(app, productCalls.changeProducts, async ({ asker, body }) => {
    const rows = await bulkChange(deps, asker, body)
    return { changed: rows.length, rows }
  })
  serve(app, productCalls.undoChanges, ({ asker, body }) => undoChanges(deps, asker, body))
  productCsvRoutes(app, deps)
}
