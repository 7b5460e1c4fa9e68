import assert from 'node:assert/strict'
import { sql } from 'drizzle-orm'
import { LOOK_QUEUE } from '#server/catalogue/change-catalogue.ts'
import { products, stockNotices } from '#server/db/schema/shop.ts'
import { interactiveJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import type { EmailMessage } from '#server/mail/mailer.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'
import { lookJob } from '#server/notices/look.ts'
import type { TestDb } from './database.ts'
import { type OrderShop, shopWithOrders } from './orders.ts'

const silent = { warn: () => undefined, error: () => undefined }
const never = new AbortController().signal

/** A shop whose emails are read here. `look` looks who waits, `post` sends: each as a worker of its own. */
export async function noticeShop(open: () => Promise<TestDb>) {
  const came: EmailMessage[] = []
  /** What the mail server does with an email besides. */
  const server = { take: async (_mail: EmailMessage): Promise<unknown> => undefined }
  const mailer = {
    send: async (mail: EmailMessage) => {
      await server.take(mail)
      came.push(mail)
    },
    close: async () => undefined,
  }
  const shop = await shopWithOrders({ open, deps: { mailer } })
  const { db } = shop.deps
  await db.update(products).set({ stock: 0 })
  const ask = (payload: object, remoteAddress = '198.51.100.2') =>
    shop.app.inject({ method: 'POST', url: '/api/notice', remoteAddress, payload })
  const post = async (): Promise<EmailMessage[]> => {
    const { [MAIL_QUEUE]: send } = interactiveJobs(shop.deps)
    await runDueJobs(db, send ? { [MAIL_QUEUE]: send } : {}, silent, never)
    return came.splice(0)
  }
  return {
    ...shop,
    server,
    ask,
    post,
    look: () => runDueJobs(db, { [LOOK_QUEUE]: lookJob(shop.deps) }, silent, never),
    waits: () => db.$count(stockNotices, sql`confirmed_at is not null`),
    /** Asks and confirms by the link of the email. */
    waitFor: async (email: string, what: object = { product_id: 'snapper' }) => {
      const reply = await ask({ email, ...what })
      assert.equal(reply.statusCode, 202, reply.body)
      const [mail] = await post()
      const confirmed = await confirm(shop, tokenOf(mail))
      assert.equal(confirmed.statusCode, 200, confirmed.body)
      return mail
    },
  }
}

export const confirm = ({ app }: OrderShop, token: string) =>
  app.inject({ method: 'POST', url: '/api/notice/confirmation', payload: { token } })

export const tokenOf = (mail: EmailMessage | undefined): string =>
  /notice\/confirm\/(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''

/** The path of the link for mail programs. */
export const stopOf = (mail: EmailMessage | undefined): string => new URL(mail?.stop ?? '').pathname

export const setStock = async ({ admin }: OrderShop, stock: number): Promise<void> => {
  const reply = await admin('PATCH', '/api/product/snapper', { stock })
  assert.equal(reply.statusCode, 200, reply.body)
}

export const kinds = (mails: readonly EmailMessage[]) => mails.map(({ kind, to }) => `${kind} ${to}`)
