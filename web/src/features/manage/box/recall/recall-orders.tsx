import { amountIn } from '@befaqt/domain/amount'
import type { RecallOrder, UndecidedOrder } from '@befaqt/domain/api/recall-api'
import type { NoticeState } from '@befaqt/domain/box-history'
import { boughtText } from '@befaqt/domain/labelling'
import { Link } from 'react-router'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { Table, Td, Th } from '#web/components/table.tsx'
import { undecidedTexts } from '../../order/order-parts.tsx'
import { managedOrderPath } from '../../paths.ts'

const notices: Record<NoticeState, { tone: BadgeTone; word: string }> = {
  none: { tone: 'plain', word: 'not notified yet' },
  waiting: { tone: 'warn', word: 'email is on its way' },
  sent: { tone: 'good', word: 'email sent' },
  'given up': { tone: 'bad', word: 'not reached' },
  discarded: { tone: 'bad', word: 'email was discarded' },
  'no contact': { tone: 'bad', word: 'no contact any more' },
}

/**
 * The orders that were packed from a box: who, what, how much, and whether they know. `recalled`: they are being
 * notified.
 */
export const RecallOrders = ({ orders, recalled }: { orders: readonly RecallOrder[]; recalled: boolean }) => (
  <Table caption="Orders packed from this box">
    <thead>
      <tr>
        <Th>Order</Th>
        <Th>{recalled ? 'Notified' : 'Can be notified'}</Th>
        <Th>Buyer</Th>
        <Th>From this box</Th>
      </tr>
    </thead>
    <tbody>
      {orders.map((order) => (
        <tr key={order._id}>
          <Td className="whitespace-nowrap">
            <b className="font-semibold">{order.number}</b>
            <span className="block muted">{order.status.toLowerCase()}</span>
          </Td>
          <Td>
            <Told order={order} recalled={recalled} />
          </Td>
          <Td>
            <Buyer contact={order.contact} />
          </Td>
          <Td>
            {order.lines.map(({ title, unit, amount }) => (
              <span key={`${title} ${amount}`} className="block">
                {title}{' '}
                <span className="whitespace-nowrap text-slate">
                  {boughtText(amountIn(unit, amount), unit)}
                </span>
              </span>
            ))}
          </Td>
        </tr>
      ))}
    </tbody>
  </Table>
)

function Buyer({ contact }: Pick<RecallOrder, 'contact'>) {
  if (contact === null) return <span className="text-slate">deleted</span>
  return (
    <>
      {contact.fname} {contact.lname}
      <a href={`mailto:${contact.email}`} className="link block w-fit text-sm wrap-anywhere">
        {contact.email}
      </a>
      <a href={`tel:${contact.phone.replaceAll(' ', '')}`} className="link block w-fit text-sm">
        {contact.phone}
      </a>
    </>
  )
}

function Told({
  order: { notice, noticeError, contact },
  recalled,
}: {
  order: RecallOrder
  recalled: boolean
}) {
  if (!recalled && contact !== null) return <Badge>by email</Badge>
  const { tone, word } = notices[notice]
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      {noticeError !== '' && <span className="mt-1 block muted wrap-anywhere">{noticeError}</span>}
    </>
  )
}

/** Orders in the shop that wait for a decision because of the box, each with the lines in question. */
export function UndecidedOrders({ orders }: { orders: readonly UndecidedOrder[] }) {
  if (orders.length === 0) return null
  return (
    <div>
      <p className="font-semibold">
        {orders.length === 1 ? '1 order in the shop has' : `${orders.length} orders in the shop have`} to be
        decided: replace it from another box, leave it out, or cancel.
      </p>
      <ul className="mt-1 grid max-h-60 gap-1 overflow-auto">
        {orders.map(({ _id, number, lines }) => (
          <li key={_id}>
            <Link to={managedOrderPath(_id)} className="link tabular-nums">
              {number}
            </Link>
            : {lines.map(({ title, why }) => `${title}, ${undecidedTexts[why]}`).join('; ')}
          </li>
        ))}
      </ul>
    </div>
  )
}
