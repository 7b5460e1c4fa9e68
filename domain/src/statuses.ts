/** Lifecycle of users, categories and products. Source: spec §3. */
export const statuses = ['ACTIVE', 'INACTIVE', 'DISABLED'] as const
export type Status = (typeof statuses)[number]
