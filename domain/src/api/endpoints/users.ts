import type { Account } from '../../account.ts'
import { endpoint, types } from '../endpoint.ts'
import type { ManagedUser, ManageQuery } from '../manage-api.ts'

type UpdateUser = {
  body: Partial<Pick<Account, 'fname' | 'lname' | 'role' | 'status'>>
  response: ManagedUser
}

export const listUsers = endpoint('GET', '/api/user/all', types<{ query: ManageQuery; rows: ManagedUser }>)
export const updateUser = endpoint('PATCH', '/api/user/:id', types<UpdateUser>)
export const deleteUser = endpoint('DELETE', '/api/user/:id')
