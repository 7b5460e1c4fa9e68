import { listAllSlots } from '@befaqt/domain/api/endpoints/managed-orders'
import { readSlotPlan } from '@befaqt/domain/api/endpoints/slot-rules'
import { fulfilmentKinds } from '@befaqt/domain/order-states'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { readManageQuery } from '#web/features/manage/list/list-query.ts'
import { type Read, readFor } from '#web/features/manage/read.ts'
import { SlotScreen, type SlotsFound } from '#web/features/manage/slot/slot-screen.tsx'

type Data = Read<SlotsFound>

export function loader({ request, context }: LoaderFunctionArgs): Promise<Data> {
  const call = context.get(shopApi)
  const params = new URL(request.url).searchParams
  const { page = 1 } = readManageQuery(params)
  const kind = fulfilmentKinds.find((one) => one === params.get('kind'))
  const when = params.get('when') === 'past' ? 'past' : 'coming'
  const slots = call(listAllSlots, { query: { page, when, ...(kind && { kind }) } })
  return readFor(
    request,
    Promise.all([slots, call(readSlotPlan)]).then(([slots, plan]) => ({ slots, plan })),
  )
}

export default function ManageSlot() {
  return <SlotScreen found={useLoaderData<Data>()} />
}
