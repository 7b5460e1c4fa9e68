import * as endpoints from '@befaqt/domain/api/endpoints/box-labels'
import { BoxIDs } from '@befaqt/domain/box-values'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { boxIDOf } from '#server/boxes/box-id-of.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { assertBoxAccess } from '#server/identity/principal.ts'
import { type LabelDeps, labelContents } from './label-content.ts'
import { labelSvg } from './label-svg.ts'
import { PRINTED, sendLabels } from './send-labels.ts'

const Printed = z.object({
  box: BoxIDs,
  format: z.enum(['pdf', 'zpl'], 'must be pdf or zpl').default('pdf'),
})

export const labelOperations = defineRoutes(endpoints, {
  readLabel: {
    access: 'public',
    limits: 'history',
    summary: 'Printable label with the code of the box’s address.',
    responses: { 200: 'image/svg+xml' },
  },
  printLabels: {
    access: { right: 'box:write' },
    limits: 'manage-read',
    summary: 'Labels of up to 100 boxes: a PDF of A4 sheets with ten each, or ZPL for thermal printers.',
    query: Printed,
    responses: { 200: PRINTED },
    errors: [404],
  },
})

/** Labels of boxes, 100 by 50 mm. Source: standards.md 'GS1 Digital Link'. */
export function labelRoutes(app: FastifyInstance, deps: LabelDeps): void {
  registerRoute(app, labelOperations.readLabel, async ({ params, reply }) => {
    const [content] = await labelContents(deps, [boxIDOf(params)])
    return reply
      .type('image/svg+xml; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(content && labelSvg(content))
  })
  registerRoute(app, labelOperations.printLabels, async ({ query, principal, reply }) => {
    for (const boxID of query.box) assertBoxAccess(principal, boxID)
    return sendLabels(reply, await labelContents(deps, query.box), query.format)
  })
}
