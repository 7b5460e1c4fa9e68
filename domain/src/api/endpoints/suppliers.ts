import type { NewLabels } from '../../box-numbers.ts'
import type { Enrolment, EnrolmentProof } from '../../device.ts'
import type {
  ClaimDecision,
  FieldPhone,
  InvitationToken,
  JoinInput,
  NewInvitation,
  NewPhoneLink,
  PhoneKey,
  PhoneLink,
  SupplierIdentity,
} from '../../supplier.ts'
import { endpoint, type FormBody, types } from '../endpoint.ts'
import type {
  AllottedLabels,
  FieldBox,
  FieldClaim,
  FieldOutcome,
  FieldUser,
  InvitationView,
  Invited,
  SupplierList,
} from '../field-api.ts'

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

export const readInvitation = endpoint(
  'POST',
  '/api/field/invitation',
  types<{ body: InvitationToken; response: Invited }>,
)
export const joinAsSupplier = endpoint(
  'POST',
  '/api/field/join',
  types<{ body: JoinInput; response: { email: string } }>,
)
export const readFieldUser = endpoint('GET', '/api/field/user', types<{ response: FieldUser }>)
export const printFieldLabels = endpoint('GET', '/api/field/labels', types<{ query: LabelsQuery }>)
export const listFieldBoxes = endpoint('GET', '/api/field/box', types<{ response: FieldBox[] }>)
export const sendFieldEntry = endpoint(
  'POST',
  '/api/field/entry',
  types<{ body: FormBody; response: FieldOutcome }>,
)
export const listFieldClaims = endpoint('GET', '/api/field/claim', types<{ response: FieldClaim[] }>)
export const decideFieldClaim = endpoint(
  'POST',
  '/api/field/claim/:id',
  types<{ body: ClaimDecision; response: { seq: number | null } }>,
)
export const beginPhoneEnrolment = endpoint(
  'POST',
  '/api/field/phone',
  types<{ body: PhoneKey; response: Enrolment }>,
)
export const completePhoneEnrolment = endpoint(
  'POST',
  '/api/field/phone/:id',
  types<{ body: EnrolmentProof; response: FieldPhone }>,
)
