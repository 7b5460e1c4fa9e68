import type { z } from 'zod'
import type { NoticeToken, StockNoticeInput } from '../../stock-notice.ts'
import { endpoint, types } from '../endpoint.ts'

type Said = { message: string }

export const askForNotice = endpoint(
  'POST',
  '/api/notice',
  types<{ body: z.input<typeof StockNoticeInput>; response: Said }>,
)
export const confirmNotice = endpoint(
  'POST',
  '/api/notice/confirmation',
  types<{ body: z.input<typeof NoticeToken>; response: Said }>,
)
export const stopNotices = endpoint('POST', '/api/notice/stop/:key', types<{ response: Said }>)
