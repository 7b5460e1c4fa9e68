import type { z } from 'zod'
import { endpoint, types } from '../endpoint.ts'
import type { RecallInput, RecallView } from '../recall-api.ts'

type Recalling = { body: z.input<typeof RecallInput>; response: RecallView }

export const readRecall = endpoint('GET', '/api/box/:boxID/recall', types<{ response: RecallView }>)
export const recallBox = endpoint('POST', '/api/box/:boxID/recall', types<Recalling>)
export const resendRecall = endpoint(
  'POST',
  '/api/box/:boxID/recall/notices',
  types<{ response: RecallView }>,
)
export const withdrawRecall = endpoint('POST', '/api/box/:boxID/recall/withdrawal', types<Recalling>)
export const exportRecall = endpoint('GET', '/api/box/:boxID/recall.csv')
