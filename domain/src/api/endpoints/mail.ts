import type { Paged } from '../box-api.ts'
import { endpoint, types } from '../endpoint.ts'
import type { FailedEmail, ManageQuery } from '../manage-api.ts'

type ListHeldMail = { query: Pick<ManageQuery, 'page' | 'size'>; response: Paged<FailedEmail> }

export const listHeldMail = endpoint('GET', '/api/manage/mail', types<ListHeldMail>)
export const sendAllMailAgain = endpoint(
  'POST',
  '/api/manage/mail/again',
  types<{ response: { count: number } }>,
)
export const sendMailAgain = endpoint('POST', '/api/manage/mail/:id/again', types<{ response: FailedEmail }>)
export const giveUpMail = endpoint('DELETE', '/api/manage/mail/:id')
