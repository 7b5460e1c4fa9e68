import { z } from 'zod'
import { Email } from './fields.ts'

/** Characters of the links of emails about notices: hex of a hash, or a token. */
const MAX_LINK = 128

/** A wish to be told once when a product, or what is called so, can be bought again. */
export const StockNoticeInput = z
  .object({
    email: Email,
    product_id: z.string().min(1).max(64).optional(),
    species: z.string().min(1).max(64).optional().describe('a name of the trade, as a search answers it'),
  })
  .refine(({ product_id, species }) => (product_id === undefined) !== (species === undefined), {
    error: 'either product_id or species is required',
    path: ['product_id'],
  })
export type StockNoticeInput = z.infer<typeof StockNoticeInput>

/** The token of the link that confirms such a wish. */
export const NoticeToken = z.object({ token: z.string().min(1).max(MAX_LINK) })
