import { unitsText, weightText } from '@befaqt/domain/labelling'
import { marketDate } from '@befaqt/domain/market-time'
import { slotText } from '@befaqt/domain/moment-text'
import { type Cents, cents, discounted, formatDollars, gstIncluded } from '@befaqt/domain/money'
import { abnText, BUYER_NAMED_CENTS } from '@befaqt/domain/order-documents'
import { paymentText } from '@befaqt/domain/payment'
import type { Seller } from '#server/config/config.ts'
import { orderView, paymentSums, type WholeOrder } from '#server/orders/order-views.ts'
import { plainSlot } from '#server/orders/slots.ts'
import { type BoxesAsOf, boxesOfLine, expectedNotes, lines as textLines } from './box-lines.ts'
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
  const isTax = seller.SELLER_ABN !== undefined && order.invoiceNumber !== null
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
      ...(seller.SELLER_NAME === undefined ? [] : [['Seller', seller.SELLER_NAME] as const]),
      ...(seller.SELLER_ABN === undefined ? [] : [['ABN', abnText(seller.SELLER_ABN)] as const]),
      ...(seller.SELLER_ADDRESS === undefined ? [] : [['Address', seller.SELLER_ADDRESS] as const]),
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
          textLines(line.title, boxesOfLine(whole, line.position, asOf)),
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

function quantityText({ quantity, unit, orderedGrams, finalGrams }: Line): string {
  if (finalGrams !== null) return `${finalGrams} g net`
  return orderedGrams === null ? unitsText(quantity, unit) : `about ${weightText(orderedGrams)}`
}
