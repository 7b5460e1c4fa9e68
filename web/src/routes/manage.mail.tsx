import type { Paged } from '@befaqt/domain/api/box-api'
import type { FailedEmail } from '@befaqt/domain/api/manage-api'
import { useLoaderData } from 'react-router'
import { MailScreen } from '#web/features/manage/mail/mail-screen.tsx'
import type { Read } from '#web/features/manage/read.ts'

type Data = Read<Paged<FailedEmail>>

export default function ManageMail() {
  return <MailScreen found={useLoaderData<Data>()} />
}
