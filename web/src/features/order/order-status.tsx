import type { FulfilmentKind, OrderState } from '@befaqt/domain/order-states'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'

/** A state of an order, as its buyer calls it. */
export function statusLabel(status: OrderState, kind: FulfilmentKind): string {
  if (status === 'COMPLETED') return kind === 'pickup' ? 'Picked up' : 'Delivered'
  return labels[status]
}

const labels = {
  PLACED: 'Placed',
  PACKED: 'Weighed and packed',
  READY: 'Ready for pick-up',
  SENT: 'On its way',
  CANCELLED: 'Cancelled',
} as const

const tones: Record<OrderState, BadgeTone> = {
  PLACED: 'teal',
  PACKED: 'teal',
  READY: 'good',
  SENT: 'good',
  COMPLETED: 'plain',
  CANCELLED: 'bad',
}

export const OrderStatus = ({ status, kind }: { status: OrderState; kind: FulfilmentKind }) => (
  <Badge tone={tones[status]}>{statusLabel(status, kind)}</Badge>
)
