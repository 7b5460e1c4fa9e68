import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ann, linkIn, logIn, signUp } from '../support/account.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { desktop, visitAsManager } from '../support/manager.ts'
import { admin } from '../support/server.ts'
import { startForFile, startWithMailbox } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const { server, mailbox } = await startForFile(startWithMailbox())

const bar = (page: Page) => page.getByRole('navigation', { name: 'Main' })

async function sendLogin(page: Page, { email, password } = admin as { email: string; password: string }) {
  await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor() // the page before may have an Email, too
  await untilHydrated(page)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

test('a direct link to a managers’ page leads there after logging in, and so does Log in in the navigation bar', async () => {
  await using at = await visit(server.url, desktop)
  at.expectProblem(/status of 40[13]/)
  const { page } = at
  const sent = await (await fetch(`${server.url}/manage/product?q=Pipis`)).text()
  assert.ok(sent.includes('/user/signin?next=%2Fmanage%2Fproduct%3Fq%3DPipis'), 'before the script, too')
  await page.goto('/manage/product?q=Pipis')
  await page.getByRole('heading', { level: 1, name: 'Please log in' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  await sendLogin(page)
  await page.waitForURL((url) => url.pathname + url.search === '/manage/product?q=Pipis')
  await page.getByRole('button', { name: 'Edit Pipis' }).waitFor()

  await page.goto('/user/signin?next=/product%3Fq%3Dcrab')
  assert.match(page.url(), /\/product\?q=crab$/, 'who is logged in goes on at once')
  await page.goto('/user/signin?next=https://evil.example/')
  assert.equal(new URL(page.url()).pathname, '/')

  await using guest = await visit(`${server.url}/product?q=crab`, desktop)
  await untilHydrated(guest.page)
  await bar(guest.page).getByRole('link', { name: 'Log in' }).click()
  await guest.page.getByRole('link', { name: 'Forgot password?' }).click()
  await guest.page.getByRole('link', { name: 'Back to login' }).click()
  await sendLogin(guest.page)
  await guest.page.waitForURL((url) => url.pathname + url.search === '/product?q=crab')
})

test('a session that ended in another tab shows in the navigation bar, typed text stays, and logging in returns', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=Pipis')
  at.expectProblem(/status of 40[13]/)
  const { page, context } = at
  await page.getByRole('button', { name: 'Edit Pipis' }).click()
  const form = page.getByRole('form', { name: 'Edit Pipis' })
  await form.getByLabel('Description').fill('Half a sentence')
  const other = await context.newPage()
  await other.goto('/')
  await bar(other).getByText('Admin', { exact: true }).first().click()
  await bar(other).getByRole('button', { name: 'Logout' }).click()
  await bar(other).getByRole('link', { name: 'Log in' }).waitFor()

  const comeBack = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await comeBack()
  await bar(page).getByRole('link', { name: 'Log in' }).waitFor()
  await eventually(() => form.getByLabel('Description').inputValue(), 'Half a sentence')
  await bar(other).getByRole('link', { name: 'Log in' }).click()
  await sendLogin(other)
  await bar(other).getByText('Admin', { exact: true }).first().waitFor()
  await comeBack()
  await bar(page).getByText('Admin', { exact: true }).first().waitFor()
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved Pipis.').waitFor()

  await context.clearCookies()
  await page.getByRole('navigation', { name: 'Managing' }).getByRole('link', { name: 'Users' }).click()
  await page.getByRole('heading', { level: 1, name: 'Please log in' }).waitFor()
  await bar(page).getByRole('link', { name: 'Log in' }).click()
  await sendLogin(page)
  await page.waitForURL((url) => url.pathname === '/manage/user')
})

test('signing up and activating the account on the way to a page leads there', async () => {
  await using at = await visit(`${server.url}/cart`, desktop)
  const { page } = at
  await bar(page).getByRole('link', { name: 'Log in' }).click()
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(/\/user\/signup\?next=%2Fcart$/)
  await signUp(page, ann, page.url())
  await page.getByText('An activation email was sent').waitFor()
  await page.goto(linkIn(await mailbox.waitForMail(ann.email, /^Activate your/)))
  await page.getByText('is active.').waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
  await sendLogin(page, ann)
  await page.waitForURL((url) => url.pathname === '/cart')
  await page.getByRole('heading', { level: 1, name: 'Your cart' }).waitFor()
})

test('when the shop is unreachable or its proxy answers, no status is invented', async () => {
  await using at = await visit(server.url, desktop)
  at.expectProblem(/ERR_FAILED|status of (502|401)/)
  const { page } = at
  const alert = page.getByRole('alert')
  await logIn(page, { email: 'nobody@example.com', password: 'not it at all' })
  await alert.getByText('Error: 401: Email or password is wrong.', { exact: true }).waitFor()
  await page.route('**/api/user/signIn', (route) => route.abort())
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await alert.getByText('Error: No connection to the shop. Check your network and try again.').waitFor()
  await page.unroute('**/api/user/signIn')
  await page.route('**/api/user/signIn', (route) =>
    route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }),
  )
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await alert.getByText('Error: The shop cannot be reached right now (502). Try again in a moment.').waitFor()
})
