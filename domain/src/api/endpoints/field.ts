import type { Enrolment, EnrolmentProof } from '../../device.ts'
import type { ClaimDecision, FieldPhone, InvitationToken, JoinInput, PhoneKey } from '../../supplier.ts'
import { endpoint, type FormBody, types } from '../endpoint.ts'
import type { FieldBox, FieldClaim, FieldOutcome, FieldUser, Invited } from '../field-api.ts'
import type { LabelsQuery } from './suppliers.ts'

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
