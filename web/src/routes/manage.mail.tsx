import type { Paged } from '@befaqt/domain/api/box-api'
import { listFailedEmails } from '@befaqt/domain/api/endpoints/mail'
import type { FailedEmail } from '@befaqt/domain/api/manage-api'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { readManageQuery } from '#web/features/manage/list/list-query.ts'
import { MailScreen } from '#web/features/manage/mail/mail-screen.tsx'
import { type Read, readFor } from '#web/features/manage/read.ts'

type Data = Read<Paged<FailedEmail>>

export function loader({ request, context }: LoaderFunctionArgs): Promise<Data> {
  const { page = 1 } = readManageQuery(new URL(request.url).searchParams)
  return readFor(request, context.get(shopApi)(listFailedEmails, { query: { page } }))
}

export default function ManageMail() {
  return <MailScreen found={useLoaderData<Data>()} />
}
