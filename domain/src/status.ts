import { z } from 'zod'
import { statuses } from './statuses.ts'

export const Status = z.enum(statuses)
export type Status = z.infer<typeof Status>

/** Role of an account. Source: spec §6. */
export const Role = z.enum(['USER', 'ADMIN'])
export type Role = z.infer<typeof Role>
