import type { EpcisSource, Sale } from '@befaqt/domain/epcis/events-of-box'
import { boxLinkPath, ssccOf } from '@befaqt/domain/gs1'
import { Handover } from '@befaqt/domain/supplier'
import type { BoxRecord } from '@befaqt/provenance'
import { landedAt } from '#server/boxes/box-way.ts'
import type { Market } from '#server/boxes/summary/box-summary.ts'
import { readWholeBox } from '#server/boxes/whole-box.ts'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/client.ts'

/** What documents of boxes are made of. */
export type EpcisDeps = {
  db: Db
  config: Pick<Config, 'PUBLIC_URL' | 'GS1_COMPANY_PREFIX'>
  siteFile: { market: Market }
}

/** What the events of a box are made of, corrected as its page shows it. @throws ShopError `box.not_found` */
export async function readEpcisSource(deps: EpcisDeps, boxID: string): Promise<EpcisSource> {
  const { market } = deps.siteFile
  const { box, row, rows } = await readWholeBox(deps.db, boxID, market)
  const records = rows.flatMap(({ record }) => record ?? [])
  const ofKind = (kind: string) => records.filter((record) => record.kind === kind)
  const host = new URL(deps.config.PUBLIC_URL).hostname
  return {
    box,
    hasSensorResult: ofKind('sensor-result').length > 0,
    handovers: ofKind('handover').flatMap(({ data }) => Handover.safeParse(data).data ?? []),
    sales: ofKind('sale').map(saleOf),
    landedAt: landedAt(box, market.timeZone),
    registeredAt: records[0]?.at ?? row.createdAt.toISOString(),
    unit: unitOf(deps.config, boxID, row.labelNumber),
    host,
    timeZone: market.timeZone,
    asOf: row.updatedAt.toISOString(),
  }
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
