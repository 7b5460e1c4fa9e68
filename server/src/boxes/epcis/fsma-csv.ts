import { urlOf } from '@befaqt/domain/api/endpoint'
import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import { csvHeader, csvRows } from '@befaqt/domain/csv-cells'
import type { EpcisSource } from '@befaqt/domain/epcis/events-of-box'
import { fsmaColumns, fsmaLine } from '@befaqt/domain/epcis/fsma'
import { type EpcisDeps, readEpcisSource } from './read-epcis.ts'

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
