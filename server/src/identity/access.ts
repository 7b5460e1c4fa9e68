import { ShopError } from '@befaqt/domain/errors'
import type { FastifyInstance } from 'fastify'
import { accessTable, type Rule } from './access-table.ts'
import { type Asker, may } from './principal.ts'

/**
 * Is this asker let through by `rule`?
 * @throws ShopError `auth.required` when signing in could help, `auth.forbidden` when not
 */
export function checkAccess(rule: Rule, asker: Asker): void {
  if (rule === 'public') return
  const allowed =
    rule === 'user'
      ? asker.kind === 'user'
      : rule === 'admin'
        ? asker.kind === 'user' && asker.role === 'ADMIN'
        : may(asker, rule.right)
  if (allowed) return
  if (asker.kind === 'nobody') throw new ShopError('auth.required', 'Please log in.')
  throw new ShopError('auth.forbidden', 'You may not do this.')
}

/** Refuses to start with a route that the table lacks, and enforces the table before every handler. */
export function enforceAccess(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) {
      const key = ruleKey(method, route.url)
      if (accessTable[key] === undefined)
        throw new Error(`No access rule for ${key}; add it to access-table.ts`)
    }
  })
  app.addHook('onRequest', async (request) => {
    const url = request.routeOptions.url
    if (url === undefined) return
    const rule = accessTable[ruleKey(request.method, url)]
    if (rule === undefined) throw new ShopError('auth.forbidden', 'You may not do this.')
    checkAccess(rule, request.asker)
  })
}

/** HEAD asks what GET would answer, so it has GET's rule. */
const ruleKey = (method: string, url: string): string => `${method === 'HEAD' ? 'GET' : method} ${url}`
