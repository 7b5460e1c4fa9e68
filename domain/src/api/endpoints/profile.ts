import type { ProfileInput } from '../../account.ts'
import type { ProfileView } from '../account-api.ts'
import { endpoint, types } from '../endpoint.ts'

export const readProfile = endpoint('GET', '/api/user', types<{ response: ProfileView }>)
export const updateProfile = endpoint(
  'PATCH',
  '/api/user',
  types<{ body: ProfileInput; response: ProfileView }>,
)
