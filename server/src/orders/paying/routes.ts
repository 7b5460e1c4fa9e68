import * as endpoints from '@befaqt/domain/api/endpoints/order-page'
import { OrderView } from '@befaqt/domain/api/order-api'
import { OrderAnswer } from '@befaqt/domain/api/waiting-order-api'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { Logger } from 'pino'
import { z } from 'zod'
import { defineRoutes, rawBody, registerRoute } from '#server/http/route.ts'
import { LinkKey } from '#server/orders/order-access.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import { takePaymentEvent } from './payment-event.ts'
import { checkPayment, retryPayment, startPayment } from './start-payment.ts'

const JSON_TYPE = 'application/json'

export const paymentOperations = defineRoutes(endpoints, {
  startPayment: {
    summary: 'The page on which one’s own order is paid by card.',
    access: 'public',
    limits: 'order',
    query: LinkKey,
    responses: { 200: z.strictObject({ url: z.string() }) },
  },
  checkPayment: {
    summary: 'Ask the provider whether one’s own order is paid, as after coming back from its page.',
    access: 'public',
    limits: 'order',
    query: LinkKey,
    responses: { 200: OrderAnswer },
  },
  settlePayment: {
    summary: 'Try again what the provider did not do: charge, release or refund what the order needs.',
    access: { right: 'order:write', allBoxes: true },
    limits: 'manage-write',
    responses: { 200: OrderView },
  },
  receivePaymentEvent: {
    summary: 'Messages of the provider of payments, signed by it.',
    access: 'public',
    limits: 'webhook',
    skipAuthentication: true,
    body: rawBody({ [JSON_TYPE]: null }),
    responses: { 204: null },
    errors: [404],
  },
})

/** Payment by card: for buyers, for the shop, and for the provider's messages. */
export async function paymentRoutes(
  app: FastifyInstance,
  deps: OrderDeps & { log: Pick<Logger, 'warn'> },
): Promise<void> {
  registerRoute(app, paymentOperations.startPayment, ({ principal, params, query, reply }) => {
    reply.header('cache-control', 'no-store')
    return startPayment(deps, principal, params.id, query.key)
  })
  registerRoute(app, paymentOperations.checkPayment, ({ principal, params, query, reply }) => {
    reply.header('cache-control', 'no-store')
    return checkPayment(deps, principal, params.id, query.key)
  })
  registerRoute(app, paymentOperations.settlePayment, ({ params }) => retryPayment(deps, params.id))
  const messages: FastifyPluginAsync = async (scope) => {
    scope.removeContentTypeParser(JSON_TYPE) // the signature is over the bytes
    scope.addContentTypeParser(JSON_TYPE, { parseAs: 'string' }, (_request, body, done) => done(null, body))
    registerRoute(scope, paymentOperations.receivePaymentEvent, async ({ request }) => {
      const { body, headers } = request
      const signature = headers['stripe-signature']
      await takePaymentEvent(deps, String(body ?? ''), typeof signature === 'string' ? signature : '')
      return undefined
    })
  }
  await app.register(messages)
}
