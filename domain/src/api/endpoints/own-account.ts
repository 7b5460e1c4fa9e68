import type { EmailChangeReply, NewEmail } from '../../account.ts'
import type { SavedAddressInput } from '../../saved-address.ts'
import type { EmailChangeAnswer, EmailChangeView, SavedAddressView } from '../account-api.ts'
import { endpoint, types } from '../endpoint.ts'

/* What becomes of an account as a whole: no page but its owner's needs these. And where its orders go. */

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

export const addAddress = endpoint(
  'POST',
  '/api/user/address',
  types<{ body: SavedAddressInput; response: SavedAddressView }>,
)
export const changeAddress = endpoint(
  'PUT',
  '/api/user/address/:id',
  types<{ body: SavedAddressInput; response: SavedAddressView }>,
)
export const removeAddress = endpoint('DELETE', '/api/user/address/:id')

export const copyPersonalData = endpoint(
  'GET',
  '/api/user/data',
  types<{ response: Record<string, unknown> }>,
)
export const eraseAccount = endpoint('POST', '/api/user/erasure')
