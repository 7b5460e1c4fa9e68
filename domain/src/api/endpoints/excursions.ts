import type { z } from 'zod'
import type { ListPlace, Paged } from '../box-api.ts'
import { endpoint, types } from '../endpoint.ts'
import type {
  ExcursionClosing,
  ExcursionDetail,
  ExcursionRow,
  ExcursionSettings,
  ExcursionState,
  ExcursionText,
  MadeNoticeTarget,
  NewNoticeTarget,
  WarmLimitInput,
} from '../excursion-api.ts'
import type { BoxSaleChange, BoxSaleInput, BoxSaleView, RecallInput, RecallView } from '../recall-api.ts'

type List = { query: ListPlace & { state?: ExcursionState }; response: Paged<ExcursionRow> }

export const listExcursions = endpoint('GET', '/api/excursion', types<List>)
export const readExcursion = endpoint('GET', '/api/excursion/:id', types<{ response: ExcursionDetail }>)
export const addExcursionNote = endpoint('POST', '/api/excursion/:id/note', types<{ body: ExcursionText }>)
export const closeExcursion = endpoint(
  'POST',
  '/api/excursion/:id/closing',
  types<{ body: ExcursionClosing }>,
)
export const takeOffSale = endpoint(
  'POST',
  '/api/excursion/:id/withdrawal',
  types<{ response: { taken: number; sale: BoxSaleChange } }>,
)
export const putBackOnSale = endpoint(
  'POST',
  '/api/excursion/:id/return',
  types<{ query: { since?: string } }>,
)
export const readExcursionSettings = endpoint(
  'GET',
  '/api/manage/excursion/settings',
  types<{ response: ExcursionSettings }>,
)
export const setWarmLimit = endpoint('PUT', '/api/manage/excursion/limit', types<{ body: WarmLimitInput }>)
export const removeWarmLimit = endpoint('DELETE', '/api/manage/excursion/limit/:species')
export const addNoticeTarget = endpoint(
  'POST',
  '/api/manage/excursion/target',
  types<{ body: NewNoticeTarget; response: MadeNoticeTarget }>,
)
export const removeNoticeTarget = endpoint('DELETE', '/api/manage/excursion/target/:id')

type Recalling = { body: z.input<typeof RecallInput>; response: RecallView }

type Sale = { body: z.input<typeof BoxSaleInput>; response: BoxSaleChange }

export const readBoxSale = endpoint('GET', '/api/box/:boxID/sale', types<{ response: BoxSaleView }>)
export const setBoxSale = endpoint('PUT', '/api/box/:boxID/sale', types<Sale>)
export const readRecall = endpoint('GET', '/api/box/:boxID/recall', types<{ response: RecallView }>)
export const recallBox = endpoint('POST', '/api/box/:boxID/recall', types<Recalling>)
export const resendRecall = endpoint(
  'POST',
  '/api/box/:boxID/recall/notices',
  types<{ response: RecallView }>,
)
export const withdrawRecall = endpoint('POST', '/api/box/:boxID/recall/withdrawal', types<Recalling>)
export const exportRecall = endpoint('GET', '/api/box/:boxID/recall.csv')
