import { Readable } from 'node:stream'
import { ShopError } from '@befaqt/domain/errors'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { importProducts } from './import-products.ts'
import { exportProducts } from './product-csv.ts'

type Import = { Querystring: { dryRun?: string } }

/** Products out and in as a file for spreadsheets. */
export function productCsvRoutes(app: FastifyInstance, deps: Deps): void {
  app.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.get('/api/product/export.csv', async (_request, reply) => {
    const day = deps.now().toISOString().slice(0, 10)
    reply.header('content-disposition', `attachment; filename="products-${day}.csv"`)
    return reply
      .header('cache-control', 'no-store')
      .type('text/csv; charset=utf-8')
      .send(Readable.from(exportProducts(deps.db)))
  })
  app.post<Import>('/api/product/import', (request) => {
    const { dryRun = '0' } = request.query
    if (!Buffer.isBuffer(request.body))
      throw new ShopError('input.media_type', 'A file of the type text/csv is needed.')
    return importProducts(deps, request.asker, textOf(request.body), { dryRun: dryRun !== '0' })
  })
}

/** @throws ShopError `input.invalid` for what is not UTF-8: guessing would garble names */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new ShopError('input.invalid', 'The file is not UTF-8. Save it as “CSV UTF-8”.', { cause })
  }
}
