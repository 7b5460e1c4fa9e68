import type { ChangePassword, ForgotPassword, ResetPassword } from '../../account.ts'
import { endpoint, types } from '../endpoint.ts'

export const changePassword = endpoint('POST', '/api/user/password', types<{ body: ChangePassword }>)
export const forgotPassword = endpoint('PATCH', '/api/user/forgotpassword', types<{ body: ForgotPassword }>)
export const resetPassword = endpoint('PATCH', '/api/user/resetpassword', types<{ body: ResetPassword }>)
