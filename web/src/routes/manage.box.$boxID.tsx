import { useLoaderData } from 'react-router'
import { BoxDetail } from '#web/features/manage/box/box-detail.tsx'
import type { OneBox } from '#web/loaders/manage-loaders.ts'

export default function ManageOneBox() {
  return <BoxDetail {...useLoaderData<OneBox>()} />
}
