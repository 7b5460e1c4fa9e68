import type { Confirmation } from '../../account.ts'
import type { SessionView } from '../account-api.ts'
import { endpoint, types } from '../endpoint.ts'

export const listSessions = endpoint('GET', '/api/user/sessions', types<{ response: SessionView[] }>)
export const endOtherSessions = endpoint('DELETE', '/api/user/sessions')
export const endSession = endpoint('DELETE', '/api/user/sessions/:id')
type Challenge = { challenge: string }

export const beginConfirmation = endpoint(
  'POST',
  '/api/user/confirmation/options',
  types<{ response: Challenge }>,
)
export const confirmIdentity = endpoint('POST', '/api/user/confirmation', types<{ body: Confirmation }>)
export const signOut = endpoint('POST', '/api/user/signOut')
