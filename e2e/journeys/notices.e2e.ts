import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessibleEverywhere } from '../support/accessible.ts'
import { linkIn, signInByApi } from '../support/account.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { desktop } from '../support/manager.ts'
import { productNamed } from '../support/products.ts'
import { admin, startServer } from '../support/server.ts'
import { startMailbox } from '../support/smtp.ts'
import { startForFile } from '../support/start.ts'

const mailbox = await startForFile(startMailbox())
const server = await startForFile(startServer({ env: { SMTP_URL: mailbox.url } }))

async function setStock(title: string, stock: number): Promise<string> {
  const { _id } = await productNamed(server, title)
  const answer = await server.call(`/api/product/${_id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ stock }),
  })
  assert.ok(answer.ok, await answer.text())
  return `/product/${_id}`
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await untilHydrated(page)
}

test('who asks at a sold-out product confirms by a button behind the link, and gets one email that can be stopped', async () => {
  const product = await setStock('Pipis', 0)
  await using at = await visit(server.url, desktop)
  const { page } = at
  await open(page, product)
  await page.getByRole('button', { name: 'Tell me when it’s back' }).click()
  const email = page.getByRole('main').getByLabel('Email')
  await email.waitFor()
  await page.getByRole('button', { name: 'Tell me', exact: true }).click()
  await page.getByText('enter valid email address').waitFor()
  await email.fill('cat@shop.example')
  await assertAccessibleEverywhere(page)
  await page.getByRole('button', { name: 'Tell me', exact: true }).click()
  await page.getByText(/Please look into your email/).waitFor()

  const asks = await mailbox.waitForMail('cat@shop.example', /^Shall we tell you/)
  const header = (name: string) => asks.headers.find(({ key }) => key === name)?.value
  assert.match(header('list-unsubscribe') ?? '', /^<http.*\/user\/notice\/stop\/\w+>$/)
  assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
  await open(page, linkIn(asks))
  await assertAccessibleEverywhere(page)
  await page.getByRole('button', { name: 'Yes, tell me' }).click()
  await page.getByText(/You get one email when it is there/).waitFor()

  await setStock('Pipis', 6)
  const back = await mailbox.waitForMail('cat@shop.example', /^Pipis is back$/)
  await open(page, linkIn(back))
  await page.getByRole('button', { name: 'Add to Cart' }).waitFor()
  assert.equal(await page.getByRole('button', { name: /Tell me when/ }).count(), 0)

  const stop = /\S+\/user\/notice\/stop\/\S+/.exec(back.text ?? '')?.[0] ?? ''
  assert.equal((await fetch(`${server.url}/user/notice/start/x`)).status, 404)
  await open(page, stop)
  await page.getByRole('button', { name: 'Stop these emails' }).click()
  await page.getByText('Stopped. You get no more of these emails.').waitFor()
  assert.deepEqual(
    mailbox.mails.map(({ subject }) => subject),
    ['Shall we tell you?', 'Pipis is back'],
  )
})

test('a search that finds nothing of the trade offers to tell when it lands; an account’s address is filled in', async () => {
  await using at = await visit(server.url, {
    ...desktop,
    prepare: (context) => signInByApi(context, server.url, admin),
  })
  const { page } = at
  await open(page, '/product?q=gemfish')
  await page.getByRole('button', { name: 'Tell me when gemfish lands' }).click()
  const email = page.getByRole('main').getByLabel('Email')
  await page.waitForFunction(
    (address) => [...document.querySelectorAll('input')].some(({ value }) => value === address),
    admin.email,
  )
  assert.equal(await email.inputValue(), admin.email)
  await page.getByRole('button', { name: 'Tell me', exact: true }).click()
  await page
    .getByRole('status')
    .getByText(/one email when it is there/)
    .waitFor()
  await open(page, '/product?q=unicorn')
  assert.equal(await page.getByRole('button', { name: /Tell me when/ }).count(), 0)
})
