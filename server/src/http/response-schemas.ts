import { paged } from '@befaqt/domain/api/box-api'
import { schemaNames } from '@befaqt/domain/fields'
import { z } from 'zod'

/** A sentence for the caller: what was done. */
export const Message = z.strictObject({ message: z.string() }).register(schemaNames, { id: 'Message' })

/** A list for managers: all of it without a query, else one page. */
export const listOrPage = <Row extends z.ZodType>(row: Row) => z.union([z.array(row), paged(row)])
