import assert from 'node:assert/strict'
import type { OrderView } from '@befaqt/domain/api/order-api'
import { eq, sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'
import { settlePaymentJob } from '#server/orders/paying/settle-payment.ts'
import { PAYMENT_QUEUE } from '#server/orders/queue-settling.ts'
import { type StripeServer, stripeServer } from '../../../tools/test/stripe-server.ts'
import { linesOf, moved, type OrderShop, shopWithOrders } from './orders.ts'

const silent = { warn: () => undefined, error: () => undefined }

type Options = Parameters<typeof shopWithOrders>[0]
export type ByCard = { id: string; path: string; query: string }

/** A shop that takes cards, whose clock can be moved. */
export async function cardShop(options: Options = {}) {
  await using opened = new AsyncDisposableStack()
  const stripe = opened.use(await stripeServer())
  let ahead = 0
  const deps = { now: () => new Date(Date.now() + ahead) }
  const shop = opened.use(await shopWithOrders({ ...options, env: stripe.env, deps }))
  const { db } = shop.deps
  const all = opened.move()
  const post = async (url: string) => {
    const reply = await shop.app.inject({ method: 'POST', url })
    assert.ok(reply.statusCode < 300, reply.body)
    return reply.json()
  }
  return {
    ...shop,
    stripe,
    byCard: async (quantities: Record<string, number> = { snapper: 2 }, more = {}): Promise<ByCard> => {
      const reply = await shop.place({ lines: linesOf(quantities), payment: 'card', ...more })
      assert.equal(reply.statusCode, 201, reply.body)
      const { _id: id, link } = reply.json()
      return { id, path: `/api/order/${id}`, query: new URL(link).search }
    },
    page: async ({ path, query }: ByCard): Promise<string> => (await post(`${path}/payment${query}`)).url,
    check: ({ path, query }: ByCard): Promise<OrderView> => post(`${path}/payment/check${query}`),
    seen: async ({ path, query }: ByCard): Promise<OrderView> => (await shop.app.inject(path + query)).json(),
    send: ({ body, headers }: ReturnType<StripeServer['event']>) =>
      shop.app.inject({ method: 'POST', url: '/api/payment/event', payload: body, headers }),
    settle: () =>
      runDueJobs(db, { [PAYMENT_QUEUE]: settlePaymentJob(shop.deps) }, silent, new AbortController().signal),
    /** Moves the clock, and with it when jobs are due. */
    wait: async (minutes: number) => {
      ahead += minutes * 60_000
      await rows(db, sql`update jobs set run_at = run_at - ${minutes} * interval '1 minute'`)
    },
    mails: async () =>
      (
        await db
          .select({ payload: jobs.payload })
          .from(jobs)
          .where(eq(jobs.queue, MAIL_QUEUE))
          .orderBy(jobs.id)
      ).map(({ payload }) => payload.kind),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
export type CardShop = Awaited<ReturnType<typeof cardShop>>

/** The event of a card that was authorized. */
export const AUTHORIZED = 'payment_intent.amount_capturable_updated'

/** How many calls of this kind the provider got. */
export const count = ({ stripe }: CardShop, what: RegExp): number =>
  stripe.calls.filter((call) => what.test(call)).length

/** Pays on the page of an order, whose address it returns. */
export async function paid(shop: CardShop, order: ByCard): Promise<string> {
  const url = await shop.page(order)
  shop.stripe.pay(url)
  assert.equal((await shop.send(shop.stripe.event(AUTHORIZED, url))).statusCode, 204)
  return url
}

/** Packs the first line of an order and moves it to PACKED. */
export async function packed(shop: OrderShop, { id, path }: ByCard, grams: number): Promise<OrderView> {
  const lines = [{ position: 1, grams }]
  assert.equal((await shop.admin('PUT', `${path}/packing`, { lines })).statusCode, 200)
  return moved(shop, id, 'PACKED')
}
