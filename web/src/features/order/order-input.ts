import type { OrderView } from '@befaqt/domain/api/order-api'

/** `linkKey`: of the signed link by which the order is seen; null: it is one's own. */
export type ActionProps = { order: OrderView; linkKey: string | null }

/** Which order a call is about. */
export const callInput = ({ order, linkKey }: { order: { _id: string }; linkKey: string | null }) => ({
  params: { id: order._id },
  query: linkKey === null ? {} : { key: linkKey },
})
