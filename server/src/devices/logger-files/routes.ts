import * as endpoints from '@befaqt/domain/api/endpoints/devices'
import { BoxID, oneLine } from '@befaqt/domain/box-values'
import { ColumnMap, FilePreview, FileReport, NamedColumnMap } from '@befaqt/domain/device-formats/logger-file'
import { ShopError } from '@befaqt/domain/errors'
import { asc } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Db } from '#server/db/client.ts'
import { columnMaps } from '#server/db/schema/trackers.ts'
import { parse } from '#server/http/errors.ts'
import { Message } from '#server/http/response-schemas.ts'
import { defineRoutes, rawBody, registerRoute } from '#server/http/route.ts'
import { parseStrictJson } from '#server/http/strict-json.ts'
import type { StoringDeps } from '#server/ingestion/index.ts'
import { importFile } from './import-file.ts'
import { previewFile } from './read-file.ts'

const CSV = 'text/csv'
/** Column maps that can be stored: more than there are makers of loggers. */
const MAX_MAPS = 200
const MAX_LINE = 1_000_000
/** In a query numbers are text. */
const lineNumber = z.coerce.number().int().min(0).max(MAX_LINE)
const access = { right: 'record:write' } as const

export const loggerFileOperations = defineRoutes(endpoints, {
  previewLoggerFile: {
    summary: 'What is in a logger’s file: headings, first lines, SHA-256.',
    access,
    limits: 'readings',
    query: z.object({
      delimiter: ColumnMap.shape.delimiter.optional().describe('left out: guessed from the file'),
      headerLine: lineNumber.optional().describe('left out: guessed from the file'),
    }),
    body: rawBody({ [CSV]: null }),
    responses: { 200: FilePreview },
  },
  importLoggerFile: {
    summary: 'Import the readings of a logger’s file; what is refused is reported by line.',
    access,
    limits: 'readings',
    query: z.object({
      box: BoxID,
      map: z.string().max(1_500).describe('a ColumnMap as JSON'),
      serial: oneLine(100).default('').describe('of the logger, where the file holds none'),
      dryRun: z.enum(['0', '1']).default('0').describe('1: only report what would be stored'),
      after: lineNumber.default(0).describe('only lines after this one'),
      count: lineNumber.optional().describe('so many lines at most; the answer says after which to go on'),
    }),
    body: rawBody({ [CSV]: null }),
    responses: { 200: FileReport },
    errors: [404, 409],
  },
  listColumnMaps: {
    summary: 'Saved column maps of loggers’ files, by name.',
    access,
    limits: 'manage-read',
    responses: { 200: z.array(NamedColumnMap) },
  },
  saveColumnMap: {
    summary: 'Save a column map under its name, in place of one that has it.',
    access,
    limits: 'manage-write',
    body: NamedColumnMap,
    responses: { 200: Message },
  },
})

/** Files of loggers. Source: standards.md 'Formats that really come in'. */
export function loggerFileRoutes(app: FastifyInstance, deps: StoringDeps): void {
  registerRoute(app, loggerFileOperations.previewLoggerFile, ({ query, request }) =>
    previewFile(bytesOf(request.body), query),
  )
  registerRoute(app, loggerFileOperations.importLoggerFile, ({ principal, query, request }) => {
    const { map: text, dryRun, ...asked } = query
    const map = parse(z.object({ map: ColumnMap }), { map: mapIn(text) }).map
    return importFile(deps, principal, bytesOf(request.body), { ...asked, map, dryRun: dryRun === '1' })
  })
  registerRoute(app, loggerFileOperations.listColumnMaps, () => savedMaps(deps.db))
  registerRoute(app, loggerFileOperations.saveColumnMap, async ({ body: { name, map } }) => {
    const values = { name, map: JSON.stringify(map), updatedAt: deps.now() }
    const saved = await savedMaps(deps.db)
    if (saved.length >= MAX_MAPS && !saved.some((one) => one.name === name))
      throw new ShopError('conflict', `At most ${MAX_MAPS} maps are kept.`)
    await deps.db
      .insert(columnMaps)
      .values(values)
      .onConflictDoUpdate({ target: columnMaps.name, set: values })
    return { message: 'The columns are saved.' }
  })
}

function bytesOf(body: unknown): Uint8Array {
  if (Buffer.isBuffer(body)) return body
  throw new ShopError('input.media_type', 'A file of the type text/csv is needed.')
}

function mapIn(text: string): unknown {
  try {
    return parseStrictJson(text)
  } catch {
    return undefined
  }
}

/** Maps that can still be read; one of another version is left out. */
async function savedMaps(db: Db): Promise<NamedColumnMap[]> {
  const found = await db.select().from(columnMaps).orderBy(asc(columnMaps.name)).limit(MAX_MAPS)
  return found.flatMap(({ name, map }) => {
    const parsed = ColumnMap.safeParse(mapIn(map))
    return parsed.success ? [{ name, map: parsed.data }] : []
  })
}
