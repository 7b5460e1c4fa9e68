import { z } from 'zod'

/** Lifecycle of users, categories and products. Source: spec §3. */
export const Status = z.enum(['ACTIVE', 'INACTIVE', 'DISABLED'])
export type Status = z.infer<typeof Status>

/** Role of an account. Source: spec §6. */
export const Role = z.enum(['USER', 'ADMIN'])
export type Role = z.infer<typeof Role>
