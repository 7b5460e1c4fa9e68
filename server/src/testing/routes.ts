import type { FastifyInstance } from 'fastify'
import type { AccessRule } from '#server/identity/principal.ts'

/** Who may call each route of an app, by method and address. */
export const rulesOf = ({ routes }: FastifyInstance): Record<string, AccessRule> =>
  Object.fromEntries(routes.map(({ method, url, access }) => [`${method} ${url}`, access]))
