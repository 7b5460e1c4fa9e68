import { join } from 'node:path'
import { Readable } from 'node:stream'
import * as endpoints from '@befaqt/domain/api/endpoints/managed-catalogue'
import { ImportReport } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import { MAX_ZIP_MB } from '@befaqt/domain/upload-limits'
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { receiveBody, temporaryFolder } from '#server/http/received-file.ts'
import { defineRoutes, rawBody, registerRoute } from '#server/http/route.ts'
import { type ImportDeps, importProducts } from './import-products.ts'
import { exportProducts } from './product-csv.ts'
import { openProductZip, type ProductZip } from './product-zip.ts'

const CSV = 'text/csv'
const ZIP = 'application/zip'

/** Pairs as JSON, since a URL has no lists of them. */
const MeantQuery = z
  .string()
  .max(6_000)
  .default('[]')
  .describe('Categories that the file has otherwise, and which are meant: JSON, [["Fihs", "Fish"]]')
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'is not JSON' })
      return z.NEVER
    }
  })
  .pipe(z.array(z.tuple([z.string(), z.string()])).max(100))

const productCsvOperations = defineRoutes(endpoints, {
  exportProducts: {
    summary: 'All products as CSV.',
    access: { right: 'shop:write', allBoxes: true },
    limits: 'file',
    responses: { 200: CSV },
  },
  importProducts: {
    summary:
      'Import products from CSV, or from a ZIP of one CSV file and the pictures that it names: all rows or none; bad ones are reported by line. Sent again, it makes nothing twice.',
    access: { right: 'shop:write', allBoxes: true },
    limits: 'file',
    query: z.object({
      dryRun: z.string().default('0').describe('1: only report what would change'),
      meant: MeantQuery,
    }),
    body: rawBody({ [CSV]: null, [ZIP]: null }),
    responses: { 200: ImportReport },
    errors: [404],
  },
})

/** Export and import of products as CSV, in a scope of its own: no other route takes a ZIP. */
export async function productCsvRoutes(app: FastifyInstance, deps: ImportDeps): Promise<void> {
  // Not in the scope: files of loggers are CSV too.
  app.addContentTypeParser(CSV, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const routes: FastifyPluginAsync = async (scope) => {
    // Streamed to disk by its reader, which counts the bytes.
    scope.addContentTypeParser(ZIP, (_request, body, done) => done(null, body))

    registerRoute(scope, productCsvOperations.exportProducts, ({ reply }) => {
      const day = deps.now().toISOString().slice(0, 10)
      reply.header('content-disposition', `attachment; filename="products-${day}.csv"`)
      return reply
        .header('cache-control', 'no-store')
        .type('text/csv; charset=utf-8')
        .send(Readable.from(exportProducts(deps.db)))
    })
    registerRoute(scope, productCsvOperations.importProducts, async ({ principal, query, request }) => {
      const { body } = request
      const options = { dryRun: query.dryRun !== '0', meant: query.meant }
      if (Buffer.isBuffer(body)) return importProducts(deps, principal, { text: textOf(body) }, options)
      if (!(body instanceof Readable))
        throw new ShopError('input.media_type', 'A file of the type text/csv or application/zip is needed.')
      await using folder = await temporaryFolder()
      using zip = await receiveZip(request, body, folder.path)
      return await importProducts(deps, principal, { text: textOf(zip.csv), zip }, options)
    })
  }
  await app.register(routes)
}

const MAX_ZIP_BYTES = MAX_ZIP_MB * 1024 * 1024
const TOO_LARGE = `A ZIP may have at most ${MAX_ZIP_MB} MB. Make several of it.`

/** @throws ShopError `input.too_large` before anything of it is read, where it says how large it is */
async function receiveZip({ headers }: FastifyRequest, body: Readable, folder: string): Promise<ProductZip> {
  if (Number(headers['content-length'] ?? 0) > MAX_ZIP_BYTES)
    throw new ShopError('input.too_large', TOO_LARGE)
  const path = join(folder, 'zip')
  await receiveBody(body, path, MAX_ZIP_BYTES, TOO_LARGE)
  return openProductZip(path, folder)
}

/** @throws ShopError `input.invalid` unless it is UTF-8: guessing the encoding would garble names */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new ShopError('input.invalid', 'The file is not UTF-8. Save it as “CSV UTF-8”.', { cause })
  }
}
