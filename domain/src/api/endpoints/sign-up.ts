import type { Activate, ActivationAgain, FirstAdmin, SignUp } from '../../account.ts'
import { endpoint, types } from '../endpoint.ts'

export const signUp = endpoint('POST', '/api/user/signUp', types<{ body: SignUp }>)
export const activate = endpoint(
  'POST',
  '/api/user/activate',
  types<{ body: Activate; response: { email: string } }>,
)
export const sendActivationAgain = endpoint(
  'POST',
  '/api/user/activate/again',
  types<{ body: ActivationAgain; response: { message: string } }>,
)
export const setUpFirstAdmin = endpoint('POST', '/api/user/firstAdmin', types<{ body: FirstAdmin }>)
