import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { untilHydrated } from '../support/browser.ts'
import { assertAccessibleAcross, press, visitAsManager } from '../support/manager.ts'
import { orderByApi } from '../support/order.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer({ env: { WEBHOOK_PRIVATE_HOSTS: 'localhost' } }))

test('a machine is told of an order, a message that it refused is sent again, and it is removed', async () => {
  const heard: { type: string; data: { orders?: { number: string }[] } }[] = []
  let status = 500
  const listener = createServer(async (request, response) => {
    heard.push(JSON.parse(await text(request)))
    response.writeHead(status).end()
  })
    .listen(0, '127.0.0.1')
    .unref()
  await new Promise((done) => listener.once('listening', done))
  const address = `http://localhost:${(listener.address() as AddressInfo).port}/hook`
  await using at = await visitAsManager(server, '/manage')
  const { page } = at
  await page.getByRole('navigation', { name: 'Managing' }).getByRole('link', { name: 'Webhooks' }).click()
  await page.getByText('No machine is told of anything.').waitFor()
  const form = page.getByRole('form', { name: 'Add webhook' })
  await form.getByLabel('Address').fill('http://10.0.0.7/x')
  await form.getByRole('button', { name: 'Add webhook' }).click()
  await form.getByText('choose at least one').waitFor()
  await form.getByLabel(/orders: placed/).check()
  at.expectProblem(/status of 400/)
  await form.getByRole('button', { name: 'Add webhook' }).click()
  await form.getByText('must begin with https://', { exact: true }).waitFor()
  await form.getByLabel('Address').fill(address)
  await form.getByRole('button', { name: 'Add webhook' }).click()
  assert.match(await page.getByRole('textbox', { name: 'Secret' }).inputValue(), /^whsec_/)

  const { number } = await orderByApi(server, 'Snapper, whole', 1)
  await eventually(
    async () => heard.some(({ data }) => data.orders?.some((one) => one.number === number)),
    true,
  )
  status = 200
  await eventually(async () => {
    await page.reload()
    return (await page.getByText(/It answered 500. Tried \d/).count()) > 0
  }, true)
  await press(page, `Send a test to ${address}`)
  await eventually(async () => heard.some(({ type }) => type === 'test'), true)
  await eventually(async () => {
    await page.reload()
    return (await page.getByText('delivered').count()) > 0
  }, true)
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-webhook')
  await page.setViewportSize({ width: 360, height: 740 })
  await saveScreenshot(page, 'manage-webhook-phone')
  await page.getByRole('button', { name: 'Send again' }).first().click()
  await page.getByText('It is sent again.').waitFor()

  await eventually(async () => {
    await press(page, `Send a test to ${address}`)
    return heard.filter(({ type }) => type === 'test').length > 5
  }, true)
  const messages = page.getByRole('table', { name: `Messages to ${address}` }).locator('tbody')
  await page.reload()
  await untilHydrated(page)
  assert.equal(await messages.count(), 5, 'the last ones first')
  await page.getByRole('button', { name: /^All of its last \d+ messages/ }).click()
  await eventually(async () => (await messages.count()) > 5, true)
  await press(page, `Remove ${address}`)
  await press(page, 'Remove')
  await page.getByText('No machine is told of anything.').waitFor()
  listener.close()
})
