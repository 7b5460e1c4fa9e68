import { listDevices } from '@befaqt/domain/api/endpoints/devices'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { DeviceScreen, type DevicesFound } from '#web/features/manage/device/device-screen.tsx'
import { readManageQuery } from '#web/features/manage/list/list-query.ts'
import { type Read, readFor } from '#web/features/manage/read.ts'

type Data = Read<DevicesFound>

export function loader({ request, context }: LoaderFunctionArgs): Promise<Data> {
  const params = new URL(request.url).searchParams
  const { page = 1, q } = readManageQuery(params)
  const kind = (['valid', 'revoked'] as const).find((known) => known === params.get('kind'))
  const query = { page, size: PAGE, ...(q && { q }), ...(kind && { kind }) }
  const readAt = new Date().toISOString()
  return readFor(
    request,
    context
      .get(shopApi)(listDevices, { query })
      .then((devices) => ({ devices, readAt })),
  )
}

/** Devices of a page. */
const PAGE = 20

export default function ManageDevice() {
  return <DeviceScreen found={useLoaderData<Data>()} />
}
