import { listKeys } from '@befaqt/domain/api/endpoints/keys'
import type { ApiKeyView } from '@befaqt/domain/api-key'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { KeyScreen } from '#web/features/manage/key/key-screen.tsx'
import { type Read, readFor } from '#web/features/manage/read.ts'

type Data = Read<ApiKeyView[]>

export const loader = ({ request, context }: LoaderFunctionArgs): Promise<Data> =>
  readFor(request, context.get(shopApi)(listKeys))

export default function ManageKey() {
  return <KeyScreen found={useLoaderData<Data>()} />
}
