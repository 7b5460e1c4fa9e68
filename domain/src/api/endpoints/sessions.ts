import type { SessionView } from '../account-api.ts'
import { endpoint, types } from '../endpoint.ts'

export const listSessions = endpoint('GET', '/api/user/sessions', types<{ response: SessionView[] }>)
export const endOtherSessions = endpoint('DELETE', '/api/user/sessions')
export const endSession = endpoint('DELETE', '/api/user/sessions/:id')
export const signOut = endpoint('POST', '/api/user/signOut')
