import { urlOf } from '@befaqt/domain/api/endpoint'
import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import { csvHeader, csvRows } from '@befaqt/domain/csv-cells'
import { EPCIS_CONTEXT, type EpcisDocument } from '@befaqt/domain/epcis/elements'
import { type EpcisSource, eventsOfBox, type Sale } from '@befaqt/domain/epcis/events-of-box'
import { fsmaColumns, fsmaLine } from '@befaqt/domain/epcis/fsma'
import { boxLinkPath, ssccOf } from '@befaqt/domain/gs1'
import { Handover } from '@befaqt/domain/supplier'
import type { BoxRecord } from '@befaqt/provenance'
import { weigh } from '@befaqt/provenance/balance'
import type { HistoryDeps } from '#server/boxes/archive/read-archive.ts'
import type { Market } from '#server/boxes/projection/box-summary.ts'
import { economicZone, landedAt } from '#server/boxes/projection/coastline.ts'
import { type ReadBox, wholeBox, wholeBoxes } from '#server/boxes/whole-box.ts'
import type { Config } from '#server/config/config.ts'

/** What documents of boxes are made of. */
type EpcisDeps = HistoryDeps & {
  config: Pick<Config, 'PUBLIC_URL' | 'GS1_COMPANY_PREFIX'>
  siteFile: { market: Market }
}

/** What the events of a box are made of, corrected as its page shows it. @throws ShopError `box.not_found` */
export const readEpcisSource = async (deps: EpcisDeps, boxID: string): Promise<EpcisSource> =>
  epcisSourceOf(deps, await wholeBox(deps, boxID, deps.siteFile.market))

/** The same of several boxes, read together, in their order. */
export async function* readEpcisSources(
  deps: EpcisDeps,
  boxIDs: readonly string[],
): AsyncGenerator<EpcisSource> {
  for await (const read of wholeBoxes(deps, boxIDs, deps.siteFile.market)) yield epcisSourceOf(deps, read)
}

function epcisSourceOf(deps: EpcisDeps, { box, row, rows }: ReadBox): EpcisSource {
  const { market } = deps.siteFile
  const records = rows.flatMap(({ record }) => record ?? [])
  const ofKind = (kind: string) => records.filter((record) => record.kind === kind)
  const host = new URL(deps.config.PUBLIC_URL).hostname
  return {
    box,
    hasSensorResult: ofKind('sensor-result').length > 0,
    handovers: ofKind('handover').flatMap(({ data }) => Handover.safeParse(data).data ?? []),
    sales: ofKind('sale').map(saleOf),
    weights: weightsIn(records),
    landedAt: landedAt(box, market.timeZone),
    economicZone: box.catchProv === null ? null : economicZone(box.catchProv),
    registeredAt: records[0]?.at ?? row.createdAt.toISOString(),
    unit: unitOf(deps.config, row.id, row.labelNumber),
    host,
    timeZone: market.timeZone,
    asOf: row.updatedAt.toISOString(),
  }
}

/** Nothing of weights that contradict each other. */
function weightsIn(records: readonly BoxRecord[]): EpcisSource['weights'] {
  const { balance, problems } = weigh({ records })
  if (problems.length > 0) return { caught: null, boxed: null }
  return { caught: balance.caught, boxed: balance.of === 'box' ? balance.total : null }
}

const saleOf = ({ at, data }: BoxRecord): Sale => ({ at, data })

/** The box as a logistic unit: its SSCC as a Digital Link, or without a company prefix the address of its page. */
function unitOf(
  { PUBLIC_URL, GS1_COMPANY_PREFIX: prefix }: EpcisDeps['config'],
  boxID: string,
  number: number,
) {
  return PUBLIC_URL + boxLinkPath(boxID, prefix === undefined ? null : ssccOf(prefix, number))
}

/**
 * One EPCIS document of many boxes, as its text, box by box: what was written of one is not kept.
 * @param asOf when the newest of them changed: a document about the same records is the same
 */
export async function* epcisOfMany(
  deps: EpcisDeps,
  boxIDs: readonly string[],
  asOf: Date,
): AsyncGenerator<string> {
  const document: EpcisDocument = {
    '@context': EPCIS_CONTEXT,
    type: 'EPCISDocument',
    schemaVersion: '2.0',
    creationDate: asOf.toISOString(),
    epcisBody: { eventList: [] },
  }
  const [head = '', foot = ''] = JSON.stringify(document).split(/(?<="eventList":\[)/)
  yield head
  let before = ''
  for (const id of boxIDs)
    for (const event of eventsOfBox(await readEpcisSource(deps, id))) {
      yield before + JSON.stringify(event)
      before = ','
    }
  yield foot
}

export type FsmaDeps = EpcisDeps & { siteFile: { name: string } }

/** The spreadsheet of boxes as CSV (RFC 4180, with a byte order mark for spreadsheets), in the order of their ids. */
export async function* fsmaCsv(deps: FsmaDeps, boxIDs: readonly string[]): AsyncGenerator<string> {
  yield csvHeader(fsmaColumns)
  for (const id of boxIDs) {
    yield csvRows([fsmaLineOf(deps, await readEpcisSource(deps, id))])
  }
}

/** The line of one box, with the address of its proof. */
export function fsmaLineOf({ config, siteFile }: FsmaDeps, source: EpcisSource): string[] {
  const proofUrl = `${config.PUBLIC_URL}${urlOf(readProof, { params: { boxID: source.box.boxID } })}`
  return fsmaLine(source, { receiver: siteFile.name, proofUrl })
}
