import type { z } from 'zod'
import type {
  BoxLoss,
  LeftOutLine,
  OrderMove,
  OrderSlot,
  PackedLines,
  SlotInput,
  SlotPatch,
} from '../../order.ts'
import type { FulfilmentKind, OrderState } from '../../order-states.ts'
import type { ClosedDayInput, SlotRuleInput } from '../../slot-rules.ts'
import type { ListPlace, Paged } from '../box-api.ts'
import type { BoxBalance } from '../box-trade-api.ts'
import type {
  BoxComplaint,
  ComplaintDecision,
  ComplaintFilter,
  ComplaintPage,
  ManagedComplaint,
} from '../complaint-api.ts'
import { endpoint, types } from '../endpoint.ts'
import type {
  BoxOrder,
  ManagedOrder,
  ManagedOrderRow,
  ManagedSlot,
  OrderDay,
  OrderView,
  SlotSheet,
} from '../order-api.ts'
import type { SlotFill, SlotPlan } from '../slot-rule-api.ts'
import type { WaitingOrder } from '../waiting-order-api.ts'

type OrderFilter = { q?: string; status?: OrderState | 'open' | 'decide'; slot?: string; day?: string }
type OrderQuery = ListPlace & OrderFilter & { sort?: 'slot' }
type SlotQuery = ListPlace & { kind?: FulfilmentKind; when?: 'coming' | 'past' }
type Slots = { query: SlotQuery; response: Paged<ManagedSlot> }

export const listOrders = endpoint(
  'GET',
  '/api/order/all',
  types<{ query: OrderQuery; response: Paged<ManagedOrderRow> }>,
)
export const listWaitingOrders = endpoint(
  'GET',
  '/api/order/waiting',
  types<{ query: ListPlace; response: Paged<WaitingOrder> }>,
)
export const exportOrders = endpoint('GET', '/api/order/export.csv', types<{ query: OrderFilter }>)
export const readOrderDay = endpoint(
  'GET',
  '/api/order/day',
  types<{ query: { day?: string }; response: OrderDay }>,
)
export const readManagedOrder = endpoint('GET', '/api/order/:id/manage', types<{ response: ManagedOrder }>)
export const readSlotSheet = endpoint('GET', '/api/slot/:id/sheet', types<{ response: SlotSheet }>)
export const moveOrder = endpoint(
  'PATCH',
  '/api/order/:id',
  types<{ body: z.input<typeof OrderMove>; response: OrderView }>,
)
export const packOrder = endpoint(
  'PUT',
  '/api/order/:id/packing',
  types<{ body: z.input<typeof PackedLines>; response: OrderView }>,
)
export const leaveOut = endpoint(
  'POST',
  '/api/order/:id/left-out',
  types<{ body: z.input<typeof LeftOutLine>; response: OrderView }>,
)
export const listAllSlots = endpoint('GET', '/api/slot/all', types<Slots>)
export const createSlot = endpoint(
  'POST',
  '/api/slot',
  types<{ body: z.input<typeof SlotInput>; response: ManagedSlot }>,
)
export const updateSlot = endpoint(
  'PATCH',
  '/api/slot/:id',
  types<{ body: z.input<typeof SlotPatch>; response: ManagedSlot }>,
)
export const deleteSlot = endpoint('DELETE', '/api/slot/:id')
export const changeOrderSlot = endpoint(
  'PUT',
  '/api/order/:id/slot',
  types<{ body: z.input<typeof OrderSlot>; response: OrderView }>,
)
export const listBoxOrders = endpoint('GET', '/api/box/:boxID/orders', types<{ response: BoxOrder[] }>)
export const readBoxBalance = endpoint('GET', '/api/box/:boxID/balance', types<{ response: BoxBalance[] }>)
export const addBoxLoss = endpoint(
  'POST',
  '/api/box/:boxID/loss',
  types<{ body: z.input<typeof BoxLoss>; response: { seq: number } }>,
)

type Change = { body: z.input<typeof SlotRuleInput>; response: SlotFill }
type Close = { body: z.input<typeof ClosedDayInput>; response: SlotFill }

export const readSlotPlan = endpoint('GET', '/api/slot/plan', types<{ response: SlotPlan }>)
export const addSlotRule = endpoint('POST', '/api/slot/rule', types<Change>)
export const replaceSlotRule = endpoint('PUT', '/api/slot/rule/:id', types<Change>)
export const deleteSlotRule = endpoint('DELETE', '/api/slot/rule/:id', types<{ response: SlotFill }>)
export const closeDay = endpoint('POST', '/api/slot/closed-day', types<Close>)
export const openDay = endpoint('DELETE', '/api/slot/closed-day/:day', types<{ response: SlotFill }>)

type ComplaintQuery = { state?: ComplaintFilter; q?: string; after?: string }

export const listComplaints = endpoint(
  'GET',
  '/api/complaint',
  types<{ query: ComplaintQuery; response: ComplaintPage }>,
)
export const listOrderComplaints = endpoint(
  'GET',
  '/api/order/:id/complaint/manage',
  types<{ response: ManagedComplaint[] }>,
)
export const decideComplaint = endpoint(
  'PATCH',
  '/api/complaint/:id',
  types<{ body: z.input<typeof ComplaintDecision>; response: ManagedComplaint }>,
)
export const listBoxComplaints = endpoint(
  'GET',
  '/api/box/:boxID/complaints',
  types<{ response: BoxComplaint[] }>,
)
