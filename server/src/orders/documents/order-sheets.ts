import type { OrderBox } from '@befaqt/domain/api/box-api'
import { urlOf } from '@befaqt/domain/api/endpoint'
import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import { csvHeader, csvRows } from '@befaqt/domain/csv-cells'
import { boxText } from '@befaqt/domain/freshness-text'
import { unitsText, weightText } from '@befaqt/domain/labelling'
import { marketDate } from '@befaqt/domain/market-time'
import { dayText, slotText } from '@befaqt/domain/moment-text'
import { type Cents, cents, discounted, formatDollars, gstIncluded } from '@befaqt/domain/money'
import { abnText, BUYER_NAMED_CENTS, menuOrigin } from '@befaqt/domain/order-documents'
import { boxPath } from '@befaqt/domain/page-paths'
import { paymentText } from '@befaqt/domain/payment'
import { nameOf, yieldText } from '@befaqt/domain/preparation'
import type { Seller } from '#server/site/index.ts'
import { orderView, paymentSums, type WholeOrder } from '../order-views.ts'
import { plainSlot } from '../slots.ts'
import type { Sheet } from './sheet.ts'

type Line = ReturnType<typeof orderView>['lines'][number]

/** Amounts of an adjustment note are those of its invoice, taken back. */
const signed = (amount: number, isReversal: boolean): string =>
  formatDollars((isReversal ? -amount : amount) as Cents)

/**
 * The invoice of an order with what a tax invoice has to say; of one that was cancelled after it had an invoice, the
 * adjustment note that reverses it. Without an ABN, and before packing, when weights are estimates, it says that it is
 * no tax invoice. GST is shown beside taxable lines only. Source: orders.md 'Tax invoice'.
 */
export function invoiceSheet(whole: WholeOrder, seller: Seller, asOf: BoxesAsOf): Sheet {
  const { order, contact, lines, totals, events } = { ...orderView(whole, 'buyer'), order: whole.order }
  const isReversal = order.status === 'CANCELLED' && order.invoiceNumber !== null
  const isTax = seller.abn !== undefined && order.invoiceNumber !== null
  const status = isReversal ? 'CANCELLED' : order.invoiceNumber === null ? 'PLACED' : 'PACKED'
  const at = events.findLast((event) => event.status === status)?.happenedAt ?? null
  const isMixed = totals.taxable > 0 && totals.free > 0
  const amount = (value: number): string => signed(value, isReversal)
  return {
    title: isReversal
      ? `Adjustment note${isTax ? '' : ' (no tax document)'}`
      : isTax
        ? 'Tax invoice'
        : 'Order statement (not a tax invoice)',
    facts: [
      ...(seller.name === undefined ? [] : [['Seller', seller.name] as const]),
      ...(seller.abn === undefined ? [] : [['ABN', abnText(seller.abn)] as const]),
      ...(seller.address === undefined ? [] : [['Address', seller.address] as const]),
      ['Date', at === null ? '' : marketDate(Date.parse(at), asOf.timeZone)],
      ...(order.invoiceNumber === null
        ? []
        : [[isReversal ? 'Reverses invoice' : 'Invoice', order.invoiceNumber] as const]),
      ['Order', order.number],
      [order.kind === 'pickup' ? 'Pick-up' : 'Delivery', slotText(plainSlot(whole.slot))],
      ...(order.totalCents >= BUYER_NAMED_CENTS && contact !== null
        ? [['Buyer', `${contact.fname} ${contact.lname}, ${contact.email}`] as const]
        : []),
    ],
    columns: [
      { heading: 'Description', width: 5 },
      { heading: 'Quantity', width: 3 },
      { heading: 'Unit price', width: 2.5, right: true },
      { heading: 'GST', width: 2, right: true },
      { heading: 'Price', width: 2, right: true },
    ],
    rows: [
      ...lines
        .filter(({ leftOut }) => leftOut === null)
        .map((line) => [
          textLines(
            line.title,
            preparationText(line),
            line.coupon === undefined ? '' : `Coupon ${order.coupon?.code}: ${amount(-line.coupon)}`,
            boxesOfLine(whole, line.position, asOf),
          ),
          quantityText(line),
          `${formatDollars(discounted(cents(line.price), line.discount))}/${line.unit}`,
          line.includeGST ? `incl. ${amount(line.gst)}` : 'GST-free',
          amount(line.total),
        ]),
      ...(totals.delivery > 0
        ? [
            [
              'Delivery',
              '',
              '',
              `incl. ${amount(gstIncluded(cents(totals.delivery)))}`,
              amount(totals.delivery),
            ],
          ]
        : []),
    ],
    sums: [
      ...(isMixed
        ? ([
            ['Taxable, with GST', amount(totals.taxable)],
            ['GST-free', amount(totals.free)],
          ] as const)
        : []),
      ...(totals.gst > 0 ? [['GST', amount(totals.gst)] as const] : []),
      ...(totals.coupon === undefined
        ? []
        : [[`Coupon ${order.coupon?.code}, taken off above`, amount(-totals.coupon)] as const]),
      ['Total', amount(totals.total)],
      ...(whole.payment === null
        ? []
        : [['Payment', paymentText(order.status, totals.total, paymentSums(whole))] as const]),
    ],
    notes: [
      ...(order.invoiceNumber === null ? ['What is sold by weight is estimated until it is packed.'] : []),
      ...expectedNotes(asOf),
    ],
  }
}

/** What is done to a line, what is left of it then, and what of its unit price that is; empty: nothing. */
function preparationText({ preparation, unit, discount }: Line): string {
  if (preparation === undefined) return ''
  const fee = formatDollars(discounted(cents(preparation.feeCents), discount))
  const { kind, yieldPercent } = preparation
  return `${nameOf(kind)}, ${yieldText(unit, yieldPercent)}; ${fee}/${unit} of its price`
}

function quantityText({ quantity, unit, orderedGrams, finalGrams, preparation }: Line): string {
  if (finalGrams !== null) return `${finalGrams} g net${preparation ? ', weighed whole' : ''}`
  return orderedGrams === null ? unitsText(quantity, unit) : `about ${weightText(orderedGrams)}`
}

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
      ...(seller.name === undefined ? [] : [['Seller', seller.name] as const]),
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

/** Below a table in which a line names a box that it is not packed from yet. */
const EXPECTED =
  'What is not packed yet may come from another box than the one named here, which is the freshest of it at the moment.'

/** What documents say of boxes. `boxes`: of the order, as `boxesOfOrder` has them as of `at`. */
export type BoxesAsOf = { boxes: readonly OrderBox[]; at: Date; timeZone: string }

/** How a box was when it was packed, or is now, with the date; of a recalled one that it is, and nothing else. */
function stateOfBox(
  { boxId, recall }: Pick<WholeOrder['boxes'][number], 'boxId' | 'recall'>,
  { boxes, ...asOf }: BoxesAsOf,
): string {
  if (recall !== null) return `RECALLED, do not eat: ${recall}`
  const box = boxes.find(({ boxID, expectedFor }) => boxID === boxId && expectedFor.length === 0)
  return box === undefined ? '' : datedText(box, asOf)
}

/** The box that a line would be packed from, as things stand, and how it is; null: nobody knows, or it is packed. */
function expectedBox(position: number, { boxes, ...asOf }: BoxesAsOf): string | null {
  const box = boxes.find(({ expectedFor }) => expectedFor.includes(position))
  return box === undefined
    ? null
    : textLines(`Not packed yet. At the moment box ${box.boxID}`, datedText(box, asOf))
}

/** All of this of one line of an order, below each other. */
const boxesOfLine = (whole: WholeOrder, position: number, asOf: BoxesAsOf): string =>
  textLines(
    ...whole.boxes
      .filter((box) => box.position === position)
      .map((box) => textLines(`Box ${box.boxId}`, stateOfBox(box, asOf))),
    expectedBox(position, asOf) ?? '',
  )

/** What a document with a box that is not packed has to say of it. */
const expectedNotes = ({ boxes }: BoxesAsOf): string[] =>
  boxes.some(({ expectedFor }) => expectedFor.length > 0) ? [EXPECTED] : []

const textLines = (...texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n')

function datedText(box: OrderBox, { at, timeZone }: Omit<BoxesAsOf, 'boxes'>): string {
  const day = marketDate(box.soldAt === null ? at.getTime() : Date.parse(box.soldAt), timeZone)
  const said = boxText(box, day)
  if (said === '') return ''
  return `${box.soldAt === null ? 'As of' : 'When packed,'} ${dayText(day)} ${day.slice(0, 4)}: ${said}`
}
