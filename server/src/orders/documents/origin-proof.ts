import { urlOf } from '@befaqt/domain/api/endpoint'
import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import { csvHeader, csvRows } from '@befaqt/domain/csv-cells'
import { marketDate } from '@befaqt/domain/market-time'
import { menuOrigin } from '@befaqt/domain/order-documents'
import { boxPath } from '@befaqt/domain/page-paths'
import type { Seller } from '#server/config/config.ts'
import type { WholeOrder } from '#server/orders/order-views.ts'
import { type BoxesAsOf, expectedBox, expectedNotes, stateOfBox, lines as textLines } from './box-lines.ts'
import type { Sheet } from './sheet.ts'

const words = { A: 'Australian', I: 'imported', M: 'mixed' } as const

/** One row of the proof: a line, with one of the boxes that it was packed from, if any. */
function proofRows({ lines, boxes }: WholeOrder, publicUrl: string, asOf: BoxesAsOf) {
  return lines
    .filter(({ leftOutReason }) => leftOutReason === null)
    .flatMap((line) => {
      const letter = menuOrigin(line.origin)
      const product = {
        title: line.title,
        letter: letter ?? '',
        word: letter === null ? 'not stated' : words[letter],
        origin: line.origin ?? 'not stated',
      }
      const from = boxes.filter(({ position }) => position === line.position)
      if (from.length === 0) {
        const expected = expectedBox(line.position, asOf)
        return [{ ...product, expected, boxID: '', page: '', proof: '', recall: '', state: '' }]
      }
      return from.map(({ boxId: boxID, recall }) => ({
        ...product,
        expected: null,
        boxID,
        page: publicUrl + boxPath(boxID),
        proof: publicUrl + urlOf(readProof, { params: { boxID } }),
        recall: recall ?? '',
        state: stateOfBox({ boxId: boxID, recall }, asOf),
      }))
    })
}

/**
 * Where the seafood of an order comes from, for menus that have to say so, with the proofs of its boxes and how they were
 * when it was packed.
 */
export function originSheet(whole: WholeOrder, seller: Seller, publicUrl: string, asOf: BoxesAsOf): Sheet {
  const { order } = whole
  return {
    title: 'Proof of origin',
    facts: [
      ...(seller.SELLER_NAME === undefined ? [] : [['Seller', seller.SELLER_NAME] as const]),
      ['Order', order.number],
      ['Ordered', marketDate(order.createdAt.getTime(), asOf.timeZone)],
    ],
    columns: [
      { heading: 'Product', width: 4 },
      { heading: 'Menu', width: 2.5 },
      { heading: 'Country', width: 3 },
      { heading: 'Box and its proof', width: 6 },
    ],
    rows: proofRows(whole, publicUrl, asOf).map(
      ({ title, letter, word, origin, expected, boxID, proof, state }) => [
        title,
        letter === '' ? word : `${letter} (${word})`,
        origin,
        boxID === '' ? (expected ?? 'no box') : textLines(boxID, state, proof),
      ],
    ),
    sums: [],
    notes: [
      'A: Australian. I: imported. M: mixed. Origins are as the seller stated them when it was ordered.',
      ...expectedNotes(asOf),
    ],
  }
}

/** The same as CSV, of the boxes that were packed alone. */
export const originCsv = (whole: WholeOrder, publicUrl: string, asOf: BoxesAsOf): string =>
  csvHeader(['order', 'product', 'menu', 'origin', 'box', 'page', 'proof', 'recalled', 'state']) +
  csvRows(
    proofRows(whole, publicUrl, asOf).map(({ title, letter, origin, boxID, page, proof, recall, state }) => [
      whole.order.number,
      title,
      letter,
      origin,
      boxID,
      page,
      proof,
      recall,
      recall === '' ? state : '',
    ]),
  )
