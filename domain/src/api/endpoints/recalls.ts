import type { z } from 'zod'
import { endpoint, types } from '../endpoint.ts'
import type { BoxSaleInput, BoxSaleView, RecallInput, RecallView } from '../recall-api.ts'

type Recalling = { body: z.input<typeof RecallInput>; response: RecallView }

type Sale = { body: z.input<typeof BoxSaleInput>; response: BoxSaleView }

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
