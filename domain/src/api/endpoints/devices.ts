import type { DeviceView, Enrolment, EnrolmentProof, NewDevice, Revocation } from '../../device.ts'
import type { ColumnMap, FilePreview, FileReport, NamedColumnMap } from '../../device-formats/logger-file.ts'
import type { Assignment, TrackerView } from '../../tracker.ts'
import type { ListPlace, Paged } from '../box-api.ts'
import { endpoint, type FileBody, types } from '../endpoint.ts'

type ListDevices = {
  query: ListPlace & { q?: string; kind?: 'valid' | 'revoked' }
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

type ListTrackers = { query: ListPlace & { q?: string }; response: Paged<TrackerView> }
type Assign = { body: Assignment; response: TrackerView }

export const listTrackers = endpoint('GET', '/api/tracker', types<ListTrackers>)
export const assignTracker = endpoint('PUT', '/api/tracker/:id/assignment', types<Assign>)
export const receiveTive = endpoint('POST', '/api/tracking/tive')
export const receiveLorawan = endpoint('POST', '/api/tracking/lorawan')

type Import = {
  query: { box: string; map: string; serial?: string; dryRun?: '0' | '1'; after?: number; count?: number }
  body: FileBody
  response: FileReport
}

export const previewLoggerFile = endpoint(
  'POST',
  '/api/tracking/file/preview',
  types<{
    query: { delimiter?: ColumnMap['delimiter']; headerLine?: number }
    body: FileBody
    response: FilePreview
  }>,
)
export const importLoggerFile = endpoint('POST', '/api/tracking/file', types<Import>)
export const listColumnMaps = endpoint(
  'GET',
  '/api/tracking/column-map',
  types<{ response: NamedColumnMap[] }>,
)
export const saveColumnMap = endpoint('PUT', '/api/tracking/column-map', types<{ body: NamedColumnMap }>)
