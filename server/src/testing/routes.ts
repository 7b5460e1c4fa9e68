import type { FastifyInstance } from 'fastify'
import type { Rule } from '#server/identity/access.ts'

/** Who may call each route of an app, by method and address. */
export const rulesOf = ({ routes }: FastifyInstance): Record<string, Rule> =>
  Object.fromEntries(routes.map(({ method, url, access }) => [`${method} ${url}`, access]))
