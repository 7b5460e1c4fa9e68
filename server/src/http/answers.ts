import { paged } from '@befaqt/domain/api/box-api'
import { schemaNames } from '@befaqt/domain/api/schema-names'
import { z } from 'zod'

/** A sentence for whoever called: what was done. */
export const Message = z.strictObject({ message: z.string() }).register(schemaNames, { id: 'Message' })

/** A list of managers: whole when nothing was asked, else one page. */
export const wholeOrPage = <Row extends z.ZodType>(row: Row) => z.union([z.array(row), paged(row)])
