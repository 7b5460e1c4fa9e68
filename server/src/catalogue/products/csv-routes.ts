import { Readable } from 'node:stream'
import * as endpoints from '@befaqt/domain/api/endpoints/product-csv'
import { ImportReport } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { CatalogueWriter } from '#server/catalogue/change-catalogue.ts'
import { defineRoutes, rawBody, registerRoute } from '#server/http/route.ts'
import { importProducts } from './import-products.ts'
import { exportProducts } from './product-csv.ts'

const CSV = 'text/csv'

export const productCsvOperations = defineRoutes(endpoints, {
  exportProducts: {
    summary: 'All products as CSV.',
    access: { right: 'shop:write', allBoxes: true },
    limits: 'file',
    responses: { 200: CSV },
  },
  importProducts: {
    summary: 'Import products from CSV: all rows or none; bad ones are reported by line.',
    access: { right: 'shop:write', allBoxes: true },
    limits: 'file',
    query: z.object({ dryRun: z.string().default('0').describe('1: only report what would change') }),
    body: rawBody({ [CSV]: null }),
    responses: { 200: ImportReport },
    errors: [404],
  },
})

/** Export and import of products as CSV. */
export function productCsvRoutes(app: FastifyInstance, deps: CatalogueWriter & { now: () => Date }): void {
  app.addContentTypeParser(CSV, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  registerRoute(app, productCsvOperations.exportProducts, ({ reply }) => {
    const day = deps.now().toISOString().slice(0, 10)
    reply.header('content-disposition', `attachment; filename="products-${day}.csv"`)
    return reply
      .header('cache-control', 'no-store')
      .type('text/csv; charset=utf-8')
      .send(Readable.from(exportProducts(deps.db)))
  })
  registerRoute(app, productCsvOperations.importProducts, ({ principal, query, request }) => {
    if (!Buffer.isBuffer(request.body))
      throw new ShopError('input.media_type', 'A file of the type text/csv is needed.')
    return importProducts(deps, principal, textOf(request.body), { dryRun: query.dryRun !== '0' })
  })
}

/** @throws ShopError `input.invalid` unless it is UTF-8: guessing the encoding would garble names */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new ShopError('input.invalid', 'The file is not UTF-8. Save it as “CSV UTF-8”.', { cause })
  }
}
