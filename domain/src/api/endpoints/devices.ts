import type { DeviceView, Enrolment, EnrolmentProof, NewDevice, Revocation } from '../../device.ts'
import type { Paged } from '../box-api.ts'
import { endpoint, types } from '../endpoint.ts'
import type { ListQuery } from '../manage-api.ts'

type ListDevices = {
  query: Pick<ListQuery, 'page' | 'size' | 'q'> & { kind?: 'valid' | 'revoked' }
  response: Paged<DeviceView>
}

export const listDevices = endpoint('GET', '/api/device', types<ListDevices>)
export const beginEnrolment = endpoint('POST', '/api/device', types<{ body: NewDevice; response: Enrolment }>)
export const completeEnrolment = endpoint(
  'POST',
  '/api/device/:id/enrol',
  types<{ body: EnrolmentProof; response: DeviceView }>,
)
export const readDevice = endpoint('GET', '/api/device/:id', types<{ response: DeviceView }>)
export const revokeDevice = endpoint('POST', '/api/device/:id/revoke', types<{ body: Revocation }>)
