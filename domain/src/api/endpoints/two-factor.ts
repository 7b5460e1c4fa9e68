import type { BothFactors, ConfirmTwoFa, Reauthentication } from '../../account.ts'
import type { TwoFaSetup } from '../account-api.ts'
import { endpoint, types } from '../endpoint.ts'

type RecoveryCodes = { recoveryCodes: string[] }

export const beginTwoFa = endpoint(
  'POST',
  '/api/user/twoFa/setup',
  types<{ body: Reauthentication; response: TwoFaSetup }>,
)
export const confirmTwoFa = endpoint(
  'POST',
  '/api/user/twoFa/confirm',
  types<{ body: ConfirmTwoFa; response: RecoveryCodes }>,
)
export const endTwoFa = endpoint('POST', '/api/user/twoFa/off', types<{ body: BothFactors }>)
export const renewRecoveryCodes = endpoint(
  'POST',
  '/api/user/twoFa/recoveryCodes',
  types<{ body: BothFactors; response: RecoveryCodes }>,
)
