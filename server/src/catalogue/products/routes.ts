import * as endpoints from '@befaqt/domain/api/endpoints/managed-catalogue'
import {
  BulkChanged,
  BulkPreview,
  Duplicated,
  LinkedPictures,
  ManagedProduct,
  Undone,
} from '@befaqt/domain/api/manage-api'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { CatalogueWriter } from '#server/catalogue/change-catalogue.ts'
import { hasFilters, ListQuery } from '#server/http/list-query.ts'
import { formBody, readForm } from '#server/http/multipart-form.ts'
import { expectedVersion } from '#server/http/optimistic-lock.ts'
import { listOrPage } from '#server/http/response-schemas.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { assertBoxAccess } from '#server/identity/principal.ts'
import { BulkChange, bulkChange, previewChange } from './bulk-change.ts'
import { productCsvRoutes } from './csv-routes.ts'
import { DuplicateProducts, duplicateProducts } from './duplicate-products.ts'
import type { ImportDeps } from './import-products.ts'
import { BoxLinks, linkBoxes } from './link-boxes.ts'
import { dropLinkedPicture, listLinkedPictures, retryLinkedPicture } from './linked-pictures.ts'
import type { Planning } from './plan.ts'
import { ChangedProduct, changedProduct, NewProduct, newProduct } from './product-form.ts'
import { allProducts, listProducts, managedProduct, seenBy } from './read-products.ts'
import { UndoChanges, undoChanges } from './undo-changes.ts'
import { createProduct, deleteProduct, updateProduct } from './write-product.ts'

const access = { right: 'shop:write' } as const
/** Products are sold from many boxes: a key for some can only say which of them come from those. */
const wide = { right: 'shop:write', allBoxes: true } as const

export const productOperations = defineRoutes(endpoints, {
  listProducts: {
    summary: 'All products, or a page of them. A key for some boxes sees links to those only.',
    access,
    limits: 'manage-read',
    query: ListQuery,
    responses: { 200: listOrPage(ManagedProduct) },
  },
  readManagedProduct: {
    summary: 'One product with its version and boxes, of any status.',
    access,
    limits: 'manage-read',
    responses: { 200: ManagedProduct },
  },
  createProduct: {
    summary:
      'Add a product; files productImages, their words imageAlts[]. With an _id (UUID) it is made once, however often it is sent.',
    access: wide,
    limits: 'upload',
    body: formBody(NewProduct, 'productImages'),
    responses: { 201: ManagedProduct },
  },
  updateProduct: {
    summary:
      'Change a product; imagePaths[] are the pictures that stay, in order, new:0 being the first file. A stale If-Match or field version is refused with the current state.',
    access: wide,
    limits: 'upload',
    body: formBody(ChangedProduct, 'productImages'),
    responses: { 200: ManagedProduct },
  },
  deleteProduct: {
    summary: 'Delete a DISABLED product.',
    access: wide,
    limits: 'manage-write',
    responses: { 204: null },
  },
  linkBoxes: {
    summary: 'Set which boxes a product comes from; links to boxes that a key may not touch stay.',
    access,
    limits: 'manage-write',
    body: BoxLinks,
    responses: { 200: z.array(z.strictObject({ boxID: z.string(), quantity: z.number() })) },
  },
  changeProducts: {
    summary:
      'Change category, status, stock, price or schedule of many products, named by ids or by the filter and count of a list: all or none. Where others match by now it answers 409 with their count. Returns those that are different now, each with the change that undoes it.',
    access: wide,
    limits: 'bulk',
    body: BulkChange,
    responses: { 200: z.strictObject({ changed: z.int(), rows: z.array(BulkChanged) }) },
    errors: [404, 409],
  },
  previewChanges: {
    summary:
      'What the same change of many products would change: how many, and the first of them by title, field by field. Nothing is written.',
    access: wide,
    limits: 'bulk',
    body: BulkChange,
    responses: { 200: BulkPreview },
    errors: [404, 409],
  },
  duplicateProducts: {
    summary:
      'Copy products, named as those of a bulk change, as drafts without stock, plan and boxes: all or none. Sent again with the same key, it makes nothing twice.',
    access: wide,
    limits: 'bulk',
    body: DuplicateProducts,
    responses: { 200: z.strictObject({ rows: z.array(Duplicated) }) },
    errors: [404, 409],
  },
  undoChanges: {
    summary:
      'Undo changes that a bulk change or a copying returned, where the product was not changed since: only what they changed. Returns what is different now, which copies are gone, and what is left as it is.',
    access: wide,
    limits: 'bulk',
    body: UndoChanges,
    responses: { 200: Undone },
    errors: [404],
  },
  listLinkedPictures: {
    summary:
      'Pictures that a product file names by addresses and that are not there yet, with why: those that were given up first.',
    access: wide,
    limits: 'manage-read',
    responses: { 200: LinkedPictures },
  },
  retryLinkedPicture: {
    summary: 'Fetch a picture again, also one that was given up.',
    access: wide,
    limits: 'manage-write',
    responses: { 204: null },
  },
  dropLinkedPicture: {
    summary: 'Wait no longer for a picture that is to be fetched.',
    access: wide,
    limits: 'manage-write',
    responses: { 204: null },
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const productReads = {
  listProducts: ({ db }, { query, principal }) =>
    hasFilters(query) ? listProducts(db, query, principal) : allProducts(db, principal),
  readManagedProduct: async ({ db }, { params, principal }) =>
    seenBy(principal, await managedProduct(db, params.id)),
  listLinkedPictures: ({ db }) => listLinkedPictures(db),
} satisfies Reads<typeof productOperations, Pick<CatalogueWriter, 'db'>>

/** Managing products. Source: spec §7. */
export async function productRoutes(app: FastifyInstance, deps: Planning & ImportDeps): Promise<void> {
  registerReads(app, productOperations, productReads, deps)
  registerRoute(app, productOperations.createProduct, async ({ principal, request }) => {
    await using form = await readForm(request)
    return seenBy(principal, await createProduct(deps, principal, await newProduct(deps.images, form)))
  })
  registerRoute(app, productOperations.updateProduct, async ({ principal, params, request }) => {
    await using form = await readForm(request)
    const { patch, pictures } = await changedProduct(deps.images, form)
    const { version, ...fields } = patch
    const change = { patch: fields, pictures, version: expectedVersion(request, version) }
    return seenBy(principal, await updateProduct(deps, principal, params.id, change))
  })
  registerRoute(app, productOperations.deleteProduct, async ({ principal, params, request }) => {
    await deleteProduct(deps, principal, params.id, expectedVersion(request))
    return undefined
  })
  registerRoute(app, productOperations.linkBoxes, async ({ principal, params, body: links }) => {
    for (const { boxID } of links) assertBoxAccess(principal, boxID)
    await linkBoxes(deps, principal, params.id, links)
    return links
  })
  registerRoute(app, productOperations.changeProducts, async ({ principal, body }) => {
    const rows = await bulkChange(deps, principal, body)
    return { changed: rows.length, rows }
  })
  registerRoute(app, productOperations.previewChanges, ({ body }) => previewChange(deps, body))
  registerRoute(app, productOperations.duplicateProducts, async ({ principal, body }) => ({
    rows: await duplicateProducts(deps, principal, body),
  }))
  registerRoute(app, productOperations.undoChanges, ({ principal, body }) =>
    undoChanges(deps, principal, body),
  )
  registerRoute(app, productOperations.retryLinkedPicture, async ({ params }) => {
    await retryLinkedPicture(deps.db, params.id)
    return undefined
  })
  registerRoute(app, productOperations.dropLinkedPicture, async ({ params }) => {
    await dropLinkedPicture(deps.db, params.id)
    return undefined
  })
  await productCsvRoutes(app, deps)
}
