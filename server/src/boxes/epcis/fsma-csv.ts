import { urlOf } from '@befaqt/domain/api/endpoint'
import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import { safeCell } from '@befaqt/domain/csv-cells'
import type { EpcisSource } from '@befaqt/domain/epcis/events-of-box'
import { fsmaColumns, fsmaLine } from '@befaqt/domain/epcis/fsma'
import { stringify } from 'csv-stringify/sync'
import { type EpcisDeps, readEpcisSource } from './read-epcis.ts'

export type FsmaDeps = EpcisDeps & { siteFile: { name: string } }

/** The spreadsheet of boxes as CSV (RFC 4180, with a byte order mark for spreadsheets), in the order of their ids. */
export async function* fsmaCsv(deps: FsmaDeps, boxIDs: readonly string[]): AsyncGenerator<string> {
  yield stringify([[...fsmaColumns]], { bom: true, record_delimiter: '\r\n' })
  for (const id of boxIDs) {
    const line = fsmaLineOf(deps, await readEpcisSource(deps, id))
    yield stringify([line.map(safeCell)], { record_delimiter: '\r\n' })
  }
}

/** The line of one box, with the address of its proof. */
export function fsmaLineOf({ config, siteFile }: FsmaDeps, source: EpcisSource): string[] {
  const proofUrl = `${config.PUBLIC_URL}${urlOf(readProof, { params: { boxID: source.box.boxID } })}`
  return fsmaLine(source, { receiver: siteFile.name, proofUrl })
}
