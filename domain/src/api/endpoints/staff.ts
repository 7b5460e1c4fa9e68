import type {
  JoinStaff,
  NewStaff,
  StaffInvitation,
  StaffInvited,
  StaffLink,
  StaffList,
  StaffMember,
  StaffRights,
} from '../../staff.ts'
import { endpoint, types } from '../endpoint.ts'

/* Who works at the desk. */

export const listStaff = endpoint('GET', '/api/manage/staff', types<{ response: StaffList }>)
export const inviteStaff = endpoint(
  'POST',
  '/api/manage/staff/invitation',
  types<{ body: NewStaff; response: StaffInvitation }>,
)
export const revokeStaffInvitation = endpoint('DELETE', '/api/manage/staff/invitation/:id')
export const setStaffRights = endpoint(
  'PUT',
  '/api/manage/staff/:id',
  types<{ body: StaffRights; response: StaffMember }>,
)
export const readStaffLink = endpoint(
  'POST',
  '/api/user/staff',
  types<{ body: StaffLink; response: StaffInvited }>,
)
export const joinStaff = endpoint(
  'POST',
  '/api/user/staff/join',
  types<{ body: JoinStaff; response: { email: string } }>,
)
