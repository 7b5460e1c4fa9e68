import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type StripeServer, stripeServer } from '../../tools/test/stripe-server.ts'
import { assertAccessibleEverywhere } from '../support/accessible.ts'
import { ann } from '../support/account.ts'
import { visit } from '../support/browser.ts'
import { desktop, press, visitAsManager } from '../support/manager.ts'
import { callJson, fillCheckout, openCheckout, orderShown, ordersOf } from '../support/order.ts'
import { type Server, startServer } from '../support/server.ts'
import { type Mailbox, startMailbox } from '../support/smtp.ts'
import { until } from '../support/within.ts'

const phone = { viewport: { width: 360, height: 740 } }

let stripe: StripeServer
let server: Server
let mailbox: Mailbox
before(async () => {
  stripe = await stripeServer()
  mailbox = await startMailbox()
  const mail = { SMTP_URL: mailbox.url, MAIL_FROM: 'shop@befaqt.example' }
  server = await startServer({ env: { ...mail, ...stripe.env } })
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await mailbox[Symbol.asyncDispose]()
  await stripe[Symbol.asyncDispose]()
})

/** Waits for the page of the stand-in and returns its address. */
async function payPage(page: Page): Promise<string> {
  await page.getByRole('heading', { name: /^Pay / }).waitFor()
  return page.url()
}

/** Delivers an event about this payment, as Stripe does. */
async function deliver(kind: string, url: string): Promise<void> {
  const { body, headers } = stripe.event(kind, url)
  const response = await fetch(`${server.url}/api/payment/event`, { method: 'POST', headers, body })
  assert.equal(response.status, 204, await response.text())
}

test('a guest pays by card: turns back, pays, is charged what was packed; a hold that ended is paid again', async () => {
  await using at = await visit(server.url, phone)
  const { page } = at
  at.expectProblem(new RegExp(`^request to elsewhere: ${stripe.env.STRIPE_API_URL}/pay/`))
  await openCheckout(page, server, ['Pipis'])
  await fillCheckout(page, ann)
  await page.getByLabel('By card now').check()
  await press(page, 'Order and pay')
  await payPage(page)
  await page.getByRole('link', { name: 'Back to the shop' }).click()
  const number = await orderShown(page)
  await page.getByText('This order is not paid yet.').waitFor()
  assert.deepEqual(mailbox.mails, [], 'what is not paid is not confirmed')
  await assertAccessibleEverywhere(page)

  await press(page, 'Pay by card')
  const first = await payPage(page)
  await press(page, 'Pay')
  await page.getByText('Thank you. Your order is placed.').waitFor()
  assert.equal(await orderShown(page), number)
  await mailbox.waitForMail(ann.email, new RegExp(`^Your order ${number}`))
  await assertAccessibleEverywhere(page)

  stripe.end(first)
  await deliver('payment_intent.canceled', first)
  await page.reload()
  await page.getByText('Your card was not charged.').waitFor()
  await press(page, 'Pay by card again')
  assert.notEqual(await payPage(page), first)
  await press(page, 'Pay')
  await page.getByText(/^By card: up to \$[\d.]+ is held/).waitFor()

  const [order] = await ordersOf(server)
  const path = `/api/order/${order?._id}`
  await using manager = await visitAsManager(server, `/manage/order/${order?._id}`, desktop)
  await manager.page.getByText(/^By card: up to \$[\d.]+ is held/).waitFor()
  await callJson(server, 'PUT', `${path}/packing`, {
    lines: [{ position: 1, grams: 1_000, noBox: 'From the counter' }],
  })
  await callJson(server, 'PATCH', path, { status: 'PACKED' })
  const read = () => callJson(server, 'GET', path)
  await until(10, 'the card is charged', async () => (await read()).payment.state === 'CAPTURED')
  const { totals } = await read()
  const charged = `$${(totals.total / 100).toFixed(2)} paid by card`
  for (const seen of [page, manager.page]) {
    await seen.reload()
    await seen.getByText(charged).first().waitFor()
  }
})
