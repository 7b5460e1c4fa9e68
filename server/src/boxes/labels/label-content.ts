import { boxLinkPath, ssccOf } from '@befaqt/domain/gs1'
import { shownTime } from '@befaqt/domain/market-time'
import { inArray } from 'drizzle-orm'
import { type LogReceipt, newestReceipt } from '#server/anchoring/index.ts'
import { boxNotFound } from '#server/boxes/box-access.ts'
import type { Market } from '#server/boxes/projection/box-summary.ts'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'

/** What labels are made of. */
export type LabelDeps = {
  db: Db
  config: Pick<Config, 'PUBLIC_URL' | 'GS1_COMPANY_PREFIX'>
  siteFile: { name: string; market: Pick<Market, 'timeZone'> }
}

/** Millimetres of a label, of the square of its code with the empty margin, and of the space around that. */
export const label = { width: 100, height: 50, code: 44, margin: 3 } as const

/** The content of one box's label. */
export type LabelContent = {
  boxID: string
  site: string
  /** What the code holds: a GS1 Digital Link, or without a company prefix the address of the box's page. */
  address: string
  /** The number of the box as a logistic unit, with its application identifier; null without a company prefix. */
  sscc: string | null
  species: string
  place: string
  caught: string
  /** Why nothing of it may be sold; empty: it is on sale. */
  mark: string
  /** The newest state of the log, for whoever keeps the label; null: nothing is signed. */
  receipt: LogReceipt | null
}

/** The labels of boxes, in the order requested. @throws ShopError `box.not_found` */
export async function labelContents(
  { db, config, siteFile }: LabelDeps,
  boxIDs: readonly string[],
): Promise<LabelContent[]> {
  const { id, species, summary, labelNumber, recallId, offSaleAt } = boxes
  const found = await db
    .select({ id, species, summary, labelNumber, recallId, offSaleAt })
    .from(boxes)
    .where(inArray(id, [...boxIDs]))
  const receipt = (await newestReceipt(db)) ?? null
  const byId = new Map(found.map((box) => [box.id, box]))
  const { GS1_COMPANY_PREFIX: prefix, PUBLIC_URL } = config
  return boxIDs.map((boxID) => {
    const box = byId.get(boxID)
    if (box === undefined) throw boxNotFound()
    const sscc = prefix === undefined ? null : ssccOf(prefix, box.labelNumber)
    const { catchTime, catchPlace } = box.summary ?? {}
    return {
      boxID,
      site: siteFile.name,
      address: PUBLIC_URL + boxLinkPath(boxID, sscc),
      sscc: sscc && `(00) ${sscc}`,
      species: box.species,
      place: catchPlace ?? '',
      caught: catchTime ? `Caught ${shownTime(catchTime, siteFile.market.timeZone).date}` : '',
      mark: box.recallId !== null ? 'RECALLED: DO NOT EAT' : box.offSaleAt !== null ? 'OFF SALE' : '',
      receipt,
    }
  })
}

/**
 * The label of a number of which there is no box yet: it says the number and nothing else, since nothing else is known.
 * Its code holds the address that the box's page will have; an SSCC is a box's own, given when it is registered.
 */
export const numberLabel = ({ config, siteFile }: Omit<LabelDeps, 'db'>, boxID: string): LabelContent => ({
  boxID,
  site: siteFile.name,
  address: config.PUBLIC_URL + boxLinkPath(boxID, null),
  sscc: null,
  species: '',
  place: '',
  caught: '',
  mark: '',
  receipt: null,
})

/**
 * Lines of a text of at most `length` characters, broken at spaces where there are some; what does not fit ends with an
 * ellipsis.
 */
export function broken(text: string, most: number, length: number): string[] {
  const lines: string[] = []
  let rest = text.trim()
  while (rest !== '' && lines.length < most) {
    const space = rest.lastIndexOf(' ', length)
    const end = rest.length <= length ? rest.length : space > 0 ? space : length
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trim()
  }
  const last = lines.pop()
  if (last === undefined) return []
  return [...lines, rest === '' ? last : `${last.slice(0, length - 1)}…`]
}

/** A line beside the code: its size in millimetres. */
export type LabelLine = { text: string; size: number; bold: boolean }

/** The lines beside the code, from the top, in the same order on every kind of label. */
export function labelLines({ site, boxID, sscc, species, place, caught, mark }: LabelContent): LabelLine[] {
  const plain = (text: string): LabelLine => ({ text, size: 3, bold: false })
  return [
    mark === '' ? { text: site, size: 3, bold: false } : { text: mark, size: 3.6, bold: true },
    ...broken(boxID, 4, 20).map((text) => ({ text, size: boxID.length > 20 ? 3.2 : 4.4, bold: true })),
    ...[...broken(species, 2, 30), ...broken(place, 2, 30), ...broken(caught, 1, 30)].map(plain),
    ...(sscc === null ? [] : [{ text: sscc, size: 3, bold: false }]),
  ]
}
