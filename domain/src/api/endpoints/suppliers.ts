import type { NewLabels } from '../../box-numbers.ts'
import type {
  ClaimDecision,
  NewInvitation,
  NewPhoneLink,
  PhoneLink,
  SupplierIdentity,
} from '../../supplier.ts'
import { endpoint, types } from '../endpoint.ts'
import type { AllottedLabels, InvitationView, SupplierList } from '../field-api.ts'

/** Allotted labels to be printed: from the first number on, on sheets or as commands of a printer. */
export type LabelsQuery = { first: string; count: number; format?: 'pdf' | 'zpl' }

export const listSuppliers = endpoint('GET', '/api/manage/supplier', types<{ response: SupplierList }>)
export const inviteSupplier = endpoint(
  'POST',
  '/api/manage/supplier/invitation',
  types<{ body: NewInvitation; response: InvitationView }>,
)
export const revokeInvitation = endpoint('DELETE', '/api/manage/supplier/invitation/:id')
export const updateSupplier = endpoint(
  'PATCH',
  '/api/manage/supplier/:id',
  types<{ body: SupplierIdentity; response: SupplierIdentity }>,
)
export const makePhoneLink = endpoint(
  'POST',
  '/api/manage/supplier/:id/phone',
  types<{ body: NewPhoneLink; response: PhoneLink }>,
)
export const revokePhoneLink = endpoint('DELETE', '/api/manage/supplier/phone/:id')
export const allotLabels = endpoint(
  'POST',
  '/api/manage/supplier/:id/labels',
  types<{ body: NewLabels; response: AllottedLabels }>,
)
export const printAllotted = endpoint('GET', '/api/manage/supplier/:id/labels', types<{ query: LabelsQuery }>)
export const takeLabelsBack = endpoint('DELETE', '/api/manage/supplier/labels/:id')
export const decideClaim = endpoint(
  'POST',
  '/api/manage/supplier/claim/:id',
  types<{ body: ClaimDecision; response: { seq: number | null } }>,
)
