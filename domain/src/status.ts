import { z } from 'zod'
import { statuses } from './statuses.ts'

export const Status = z.enum(statuses)
export type Status = z.infer<typeof Status>

/** Role of an account: SUPPLIER records catches and hand-overs of boxes. Source: spec §6, decision 0054. */
export const Role = z.enum(['USER', 'ADMIN', 'SUPPLIER'])
export type Role = z.infer<typeof Role>
