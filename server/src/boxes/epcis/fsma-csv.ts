import { urlOf } from '@befaqt/domain/api/endpoint'
import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import { fsmaColumns, fsmaLine } from '@befaqt/domain/epcis/fsma'
import { instantOf } from '@befaqt/domain/market-time'
import { stringify } from 'csv-stringify/sync'
import { and, asc, gte, inArray, lt } from 'drizzle-orm'
import { holdsFish } from '#server/boxes/register-boxes.ts'
import { safeCell } from '#server/catalogue/products/csv-cells.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { fieldError } from '#server/http/field-error.ts'
import { type EpcisDeps, readEpcisSource } from './read-epcis.ts'

type FsmaDeps = EpcisDeps & { siteFile: { name: string } }

/** Boxes of one file. */
const MAX_BOXES = 10_000
const DAY_MS = 24 * 3_600_000

/**
 * Boxes caught on these days of the market as CSV (RFC 4180, with a byte order mark for spreadsheets), the first catch
 * first.
 * @param boxIDs those that the asking key may see; undefined: all
 * @throws ShopError `input.invalid` at `to` when there are more than `most`: a file that ends early would look whole
 */
export async function fsmaCsv(
  deps: FsmaDeps,
  { from, to }: { from: string; to: string },
  boxIDs: readonly string[] | undefined,
  most = MAX_BOXES,
): Promise<AsyncIterable<string>> {
  const { market } = deps.siteFile
  const start = instantOf(`${from} 00:00:00`, market.timeZone) ?? 0
  // The day after the last begins up to an hour later or earlier than 24 hours on.
  const next = new Date(Date.parse(`${to}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)
  const end = instantOf(`${next} 00:00:00`, market.timeZone) ?? 0
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
    .limit(most + 1)
  if (found.length > most)
    throw fieldError('to', `More than ${most} boxes were caught on these days. Choose fewer days.`)
  return linesOf(
    deps,
    found.map(({ id }) => id),
  )
}

async function* linesOf(deps: FsmaDeps, boxIDs: readonly string[]): AsyncGenerator<string> {
  yield stringify([[...fsmaColumns]], { bom: true, record_delimiter: '\r\n' })
  for (const id of boxIDs) {
    const source = await readEpcisSource(deps, id)
    const proofUrl = `${deps.config.PUBLIC_URL}${urlOf(readProof, { params: { boxID: id } })}`
    const line = fsmaLine(source, { receiver: deps.siteFile.name, proofUrl })
    yield stringify([line.map(safeCell)], { record_delimiter: '\r\n' })
  }
}
