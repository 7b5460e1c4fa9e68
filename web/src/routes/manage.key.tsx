import type { ApiKeyView } from '@befaqt/domain/api-key'
import { useLoaderData } from 'react-router'
import { KeyScreen } from '#web/features/manage/key/key-screen.tsx'
import type { Read } from '#web/features/manage/read.ts'

type Data = Read<ApiKeyView[]>

export default function ManageKey() {
  return <KeyScreen found={useLoaderData<Data>()} />
}
