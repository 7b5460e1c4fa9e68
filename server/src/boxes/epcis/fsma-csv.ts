import { urlOf } from '@befaqt/domain/api/endpoint'
import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import { fsmaColumns, fsmaLine } from '@befaqt/domain/epcis/fsma'
import { instantOf } from '@befaqt/domain/market-time'
import { stringify } from 'csv-stringify/sync'
import { and, asc, gte, inArray, lt } from 'drizzle-orm'
import { holdsFish } from '#server/boxes/register-boxes.ts'
import { safeCell } from '#server/catalogue/products/csv-cells.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { type EpcisDeps, readEpcisSource } from './read-epcis.ts'

/** Boxes of one file. */
const MAX_BOXES = 10_000
const DAY_MS = 24 * 3_600_000

/**
 * Boxes caught on these days of the market as CSV (RFC 4180, with a byte order mark for spreadsheets), the first catch
 * first.
 * @param boxIDs those that the asking key may see; undefined: all
 */
export async function* fsmaCsv(
  deps: EpcisDeps & { siteFile: { name: string } },
  { from, to }: { from: string; to: string },
  boxIDs: readonly string[] | undefined,
): AsyncGenerator<string> {
  const { market, name } = deps.siteFile
  const start = instantOf(`${from} 00:00:00`, market.timeZone) ?? 0
  // The day after the last begins up to an hour later or earlier than 24 hours on.
  const next = new Date(Date.parse(`${to}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)
  const end = instantOf(`${next} 00:00:00`, market.timeZone) ?? 0
  yield stringify([[...fsmaColumns]], { bom: true, record_delimiter: '\r\n' })
  const found = await deps.db
    .select({ id: boxes.id })
    .from(boxes)
    .where(
      and(
        holdsFish,
        gte(boxes.caughtAt, new Date(start)),
        lt(boxes.caughtAt, new Date(end)),
        boxIDs && inArray(boxes.id, [...boxIDs]),
      ),
    )
    .orderBy(asc(boxes.caughtAt), asc(boxes.id))
    .limit(MAX_BOXES)
  for (const { id } of found) {
    const source = await readEpcisSource(deps, id)
    const proofUrl = `${deps.config.PUBLIC_URL}${urlOf(readProof, { params: { boxID: id } })}`
    const line = fsmaLine(source, { receiver: name, proofUrl })
    yield stringify([line.map(safeCell)], { record_delimiter: '\r\n' })
  }
}
