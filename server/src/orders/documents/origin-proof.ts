import { urlOf } from '@befaqt/domain/api/endpoint'
import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import { csvHeader, csvRows } from '@befaqt/domain/csv-cells'
import { marketDate } from '@befaqt/domain/market-time'
import { menuOrigin } from '@befaqt/domain/menu-origin'
import { boxPath } from '@befaqt/domain/page-paths'
import type { Seller } from '#server/orders/order-deps.ts'
import type { WholeOrder } from '#server/orders/order-views.ts'
import type { Sheet } from './sheet.ts'

const words = { A: 'Australian', I: 'imported', M: 'mixed' } as const

/** One row of the proof: a line, with one of the boxes that it was packed from, if any. */
function proofRows({ lines, boxes }: WholeOrder, publicUrl: string) {
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
      if (from.length === 0) return [{ ...product, boxID: '', page: '', proof: '', recall: '' }]
      return from.map(({ boxId: boxID, recall }) => ({
        ...product,
        boxID,
        page: publicUrl + boxPath(boxID),
        proof: publicUrl + urlOf(readProof, { params: { boxID } }),
        recall: recall ?? '',
      }))
    })
}

/** Where the seafood of an order comes from, for menus that have to say so, with the proofs of its boxes. */
export function originSheet(whole: WholeOrder, seller: Seller, publicUrl: string, timeZone: string): Sheet {
  const { order } = whole
  return {
    title: 'Proof of origin',
    facts: [
      ...(seller.SELLER_NAME === undefined ? [] : [['Seller', seller.SELLER_NAME] as const]),
      ['Order', order.number],
      ['Ordered', marketDate(order.createdAt.getTime(), timeZone)],
    ],
    columns: [
      { heading: 'Product', width: 4 },
      { heading: 'Menu', width: 2.5 },
      { heading: 'Country', width: 3 },
      { heading: 'Box and its proof', width: 6 },
    ],
    rows: proofRows(whole, publicUrl).map(({ title, letter, word, origin, boxID, proof, recall }) => [
      title,
      letter === '' ? word : `${letter} (${word})`,
      origin,
      boxID === ''
        ? 'no box'
        : `${boxID}${recall === '' ? '' : `\nRECALLED, do not eat: ${recall}`}\n${proof}`,
    ]),
    sums: [],
    notes: [
      'A: Australian. I: imported. M: mixed. Origins are as the seller stated them when it was ordered.',
    ],
  }
}

/** The same as CSV. */
export const originCsv = (whole: WholeOrder, publicUrl: string): string =>
  csvHeader(['order', 'product', 'menu', 'origin', 'box', 'page', 'proof', 'recalled']) +
  csvRows(
    proofRows(whole, publicUrl).map(({ title, letter, origin, boxID, page, proof, recall }) => [
      whole.order.number,
      title,
      letter,
      origin,
      boxID,
      page,
      proof,
      recall,
    ]),
  )
