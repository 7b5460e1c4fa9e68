import type { EmailChangeReply, NewEmail } from '../../account.ts'
import type { EmailChangeAnswer, EmailChangeView } from '../account-api.ts'
import { endpoint, types } from '../endpoint.ts'

/* What becomes of an account as a whole: no page but its owner's needs these. */

export const changeEmail = endpoint(
  'POST',
  '/api/user/email',
  types<{ body: NewEmail; response: EmailChangeView }>,
)
export const dropEmailChange = endpoint('DELETE', '/api/user/email')
export const answerEmailChange = endpoint(
  'POST',
  '/api/user/email/answer',
  types<{ body: EmailChangeReply; response: EmailChangeAnswer }>,
)

export const copyPersonalData = endpoint(
  'GET',
  '/api/user/data',
  types<{ response: Record<string, unknown> }>,
)
export const eraseAccount = endpoint('POST', '/api/user/erasure')
