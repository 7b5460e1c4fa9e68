import type { OrderBox } from '@befaqt/domain/api/box-api'
import { boxText } from '@befaqt/domain/freshness-text'
import { marketDate } from '@befaqt/domain/market-time'
import { dayText } from '@befaqt/domain/moment-text'
import type { WholeOrder } from '#server/orders/order-views.ts'

/** Below a table in which a line names a box that it is not packed from yet. */
const EXPECTED =
  'What is not packed yet may come from another box than the one named here, which is the freshest of it at the moment.'

/** What documents say of boxes. `boxes`: of the order, as `boxesOfOrder` has them as of `at`. */
export type BoxesAsOf = { boxes: readonly OrderBox[]; at: Date; timeZone: string }

/** How a box was when it was packed, or is now, with the date; of a recalled one that it is, and nothing else. */
export function stateOfBox(
  { boxId, recall }: Pick<WholeOrder['boxes'][number], 'boxId' | 'recall'>,
  { boxes, ...asOf }: BoxesAsOf,
): string {
  if (recall !== null) return `RECALLED, do not eat: ${recall}`
  const box = boxes.find(({ boxID, expectedFor }) => boxID === boxId && expectedFor.length === 0)
  return box === undefined ? '' : datedText(box, asOf)
}

/** The box that a line would be packed from, as things stand, and how it is; null: nobody knows, or it is packed. */
export function expectedBox(position: number, { boxes, ...asOf }: BoxesAsOf): string | null {
  const box = boxes.find(({ expectedFor }) => expectedFor.includes(position))
  return box === undefined
    ? null
    : lines(`Not packed yet. At the moment box ${box.boxID}`, datedText(box, asOf))
}

/** All of this of one line of an order, below each other. */
export const boxesOfLine = (whole: WholeOrder, position: number, asOf: BoxesAsOf): string =>
  lines(
    ...whole.boxes
      .filter((box) => box.position === position)
      .map((box) => lines(`Box ${box.boxId}`, stateOfBox(box, asOf))),
    expectedBox(position, asOf) ?? '',
  )

/** What a document with a box that is not packed has to say of it. */
export const expectedNotes = ({ boxes }: BoxesAsOf): string[] =>
  boxes.some(({ expectedFor }) => expectedFor.length > 0) ? [EXPECTED] : []

export const lines = (...texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n')

function datedText(box: OrderBox, { at, timeZone }: Omit<BoxesAsOf, 'boxes'>): string {
  const day = marketDate(box.soldAt === null ? at.getTime() : Date.parse(box.soldAt), timeZone)
  const said = boxText(box, day)
  if (said === '') return ''
  return `${box.soldAt === null ? 'As of' : 'When packed,'} ${dayText(day)} ${day.slice(0, 4)}: ${said}`
}
