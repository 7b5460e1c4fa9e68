import { useLoaderData } from 'react-router'
import { type BoxesFound, BoxScreen } from '#web/features/manage/box/box-screen.tsx'
import type { Read } from '#web/features/manage/read.ts'

type Data = Read<BoxesFound>

export default function ManageBox() {
  return <BoxScreen found={useLoaderData<Data>()} />
}
