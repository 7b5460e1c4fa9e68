import type { Paged } from '../box-api.ts'
import { endpoint, types } from '../endpoint.ts'
import type { FailedEmail, ListQuery } from '../manage-api.ts'

type ListFailedEmails = { query: Pick<ListQuery, 'page' | 'size'>; response: Paged<FailedEmail> }

export const listFailedEmails = endpoint('GET', '/api/manage/mail', types<ListFailedEmails>)
export const retryAllEmails = endpoint(
  'POST',
  '/api/manage/mail/again',
  types<{ response: { count: number } }>,
)
export const retryEmail = endpoint('POST', '/api/manage/mail/:id/again', types<{ response: FailedEmail }>)
export const discardEmail = endpoint('DELETE', '/api/manage/mail/:id')
