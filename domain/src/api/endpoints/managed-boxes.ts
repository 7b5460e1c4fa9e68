import type { BoxWeight, CatchProv, CorrectionInput, Registration } from '../../box.ts'
import type { CoseSubmission } from '../../device.ts'
import type { BoxStage } from '../../place.ts'
import type { Handover } from '../../supplier.ts'
import type { ListPlace, Paged } from '../box-api.ts'
import { endpoint, types } from '../endpoint.ts'
import type { ManagedBox, ManagedBoxDetail, SeenAlert } from '../manage-api.ts'

type ListManagedBoxes = {
  query: ListPlace & { q?: string; stage?: BoxStage | 'alerts' }
  response: Paged<ManagedBox>
}
type Added = { seq: number }
type ProductLinks = { product_id: string; quantity: number }[]

export const listManagedBoxes = endpoint('GET', '/api/manage/box', types<ListManagedBoxes>)
export const readManagedBox = endpoint('GET', '/api/manage/box/:boxID', types<{ response: ManagedBoxDetail }>)
export const noteAlertSeen = endpoint('POST', '/api/manage/box/:boxID/alert', types<{ body: SeenAlert }>)
export const registerBox = endpoint(
  'POST',
  '/api/box/registration',
  types<{ body: Registration; response: { boxID: string } }>,
)
export const addCatch = endpoint(
  'POST',
  '/api/box/:boxID/catch',
  types<{ body: Omit<CatchProv, 'txHash'>; response: Added }>,
)
export const addWeight = endpoint(
  'POST',
  '/api/box/:boxID/weight',
  types<{ body: BoxWeight | CoseSubmission; response: Added }>,
)
export const addHandover = endpoint(
  'POST',
  '/api/box/:boxID/handover',
  types<{ body: Handover; response: Added }>,
)
export const correctRecord = endpoint(
  'POST',
  '/api/box/:boxID/correction',
  types<{ body: CorrectionInput; response: Added }>,
)
export const sealBox = endpoint(
  'POST',
  '/api/box/:boxID/seal',
  types<{ body: { reason?: string }; response: Added }>,
)
export const linkProducts = endpoint('PUT', '/api/box/:boxID/products', types<{ body: ProductLinks }>)
