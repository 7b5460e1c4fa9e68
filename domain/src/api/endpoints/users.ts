import type { Account } from '../../account.ts'
import { endpoint, types } from '../endpoint.ts'
import type { ListQuery, ManagedUser } from '../manage-api.ts'

type UpdateUser = {
  body: Partial<Pick<Account, 'fname' | 'lname' | 'role' | 'status'>>
  response: ManagedUser
}

export const listUsers = endpoint('GET', '/api/user/all', types<{ query: ListQuery; rows: ManagedUser }>)
export const updateUser = endpoint('PATCH', '/api/user/:id', types<UpdateUser>)
export const deleteUser = endpoint('DELETE', '/api/user/:id')
