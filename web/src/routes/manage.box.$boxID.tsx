import { ShopError } from '@befaqt/domain/errors'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { BoxDetail, type BoxFound } from '#web/features/manage/box-detail.tsx'
import { orWords, type Read } from '#web/features/manage/read.ts'
import type { Describe } from '#web/head/head-tags.ts'

type Data = { boxID: string; found: Read<BoxFound> }

/** The row of the list tells what is pending; its search also finds longer ids that begin alike. */
const MOST_ALIKE = 200

export async function loader({ params, context }: LoaderFunctionArgs): Promise<Data> {
  const api = context.get(shopApi)
  const boxID = params.boxID ?? ''
  const { rows: alike } = await api.manageBoxes({ q: boxID, size: MOST_ALIKE })
  const box = alike.find((row) => row.boxID === boxID)
  if (!box) throw new ShopError('box.not_found', 'There is no such box.')
  return { boxID, found: await orWords(api.boxPage(boxID).then((page) => ({ page, box }))) }
}

export const head: Describe<Data> = ({ boxID }) => ({ title: `Manage box ${boxID}` })

export default function ManageOneBox() {
  return <BoxDetail {...useLoaderData<Data>()} />
}
