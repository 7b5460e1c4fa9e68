import type { DeviceView, Enrolment, EnrolmentProof, NewDevice } from '../../device.ts'
import { endpoint, types } from '../endpoint.ts'

export const listDevices = endpoint('GET', '/api/device', types<{ response: DeviceView[] }>)
export const beginEnrolment = endpoint('POST', '/api/device', types<{ body: NewDevice; response: Enrolment }>)
export const completeEnrolment = endpoint(
  'POST',
  '/api/device/:id/enrol',
  types<{ body: EnrolmentProof; response: DeviceView }>,
)
export const readDevice = endpoint('GET', '/api/device/:id', types<{ response: DeviceView }>)
export const revokeDevice = endpoint('DELETE', '/api/device/:id')
