import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ann, linkIn } from '../support/account.ts'
import { pauseRequests, untilHydrated, visit } from '../support/browser.ts'
import { desktop } from '../support/manager.ts'
import { admin } from '../support/server.ts'
import { startForFile, startWithMailbox } from '../support/start.ts'

const { server, mailbox } = await startForFile(startWithMailbox())

const plain = { ...desktop, javaScriptEnabled: false }

test('without JavaScript one signs up, is told what is wrong, opens the account and changes its names', async () => {
  await using at = await visit(`${server.url}/user/signin`, plain)
  at.expectProblem(/400|Failed to load resource| csp$/)
  const { page } = at
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL((url) => url.pathname === '/user/signup')
  await page.getByLabel('First name').fill(ann.fname)
  await page.getByLabel('Last name').fill(ann.lname)
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Mobile phone').fill('12')
  await page.getByLabel('Password', { exact: true }).fill(ann.password)
  await page.getByLabel('Confirm password', { exact: true }).fill(ann.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('alert').filter({ hasText: 'Error: 400' }).waitFor()
  const phone = page.getByLabel('Mobile phone')
  assert.equal(await phone.getAttribute('aria-invalid'), 'true')
  assert.deepEqual([await page.getByLabel('Email').inputValue(), await phone.inputValue()], [ann.email, '12'])
  assert.equal(await page.getByLabel('Password', { exact: true }).inputValue(), '')
  await phone.fill(ann.phone)
  await page.getByLabel('Password', { exact: true }).fill(ann.password)
  await page.getByLabel('Confirm password', { exact: true }).fill(ann.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText(`An activation email was sent to ${ann.email}.`).waitFor()
  await page.goto(linkIn(await mailbox.waitForMail(ann.email)))
  await page.getByRole('button', { name: 'Activate my account' }).click()
  await page.getByText(`The account of ${ann.email} is active.`).waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(ann.password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/')

  await page.goto('/user/profile')
  const first = page.getByLabel('First name')
  await first.fill('Anna')
  await phone.fill('12')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').filter({ hasText: 'Error: 400' }).waitFor()
  assert.deepEqual([await first.inputValue(), await phone.inputValue()], ['Anna', '12'])
  await phone.fill(ann.phone)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL((url) => url.pathname === '/')
  await page.goto('/user/profile')
  assert.equal(await first.inputValue(), 'Anna')
})

test('without JavaScript one logs in and goes on to where one came from', async () => {
  await using at = await visit(`${server.url}/user/signin?next=%2Fuser%2Forder`, plain)
  at.expectProblem(/401|Failed to load resource| csp$/)
  const { page } = at
  const logIn = page.getByRole('button', { name: 'Log in', exact: true })
  await page.getByLabel('Email').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill('wrong-herring')
  await logIn.click()
  await page.getByRole('alert').filter({ hasText: 'Error: 401' }).waitFor()
  assert.equal(await page.getByLabel('Email').inputValue(), admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await logIn.click()
  await page.waitForURL('**/user/order')
  await page.getByRole('heading', { level: 1, name: 'My Orders' }).waitFor()
})

test('without JavaScript a forgotten password is set anew by the link of the email', async () => {
  await using at = await visit(`${server.url}/user/signin`, plain)
  at.expectProblem(/400|Failed to load resource| csp$/)
  const { page } = at
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.waitForURL('**/user/forgotpassword')
  await page.getByLabel('Email').fill(admin.email)
  await page.getByRole('button', { name: 'Send recovery email' }).click()
  await page.getByText(`The recovery email was sent to ${admin.email}.`).waitFor()
  await page.goto(linkIn(await mailbox.waitForMail(admin.email, /^Set a new/)))
  const send = async (again: string): Promise<void> => {
    await page.getByLabel('New password', { exact: true }).fill(admin.password)
    await page.getByLabel('Confirm password', { exact: true }).fill(again)
    await page.getByRole('button', { name: 'Reset password' }).click()
  }
  await send('something else')
  await page.getByText("Confirm password doesn't match! Try again.", { exact: true }).waitFor()
  await send(admin.password)
  await page.getByText('Password Reset Done').waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL((url) => url.pathname === '/user/signin')
})

test('a log-in that is sent before the script runs says the same, and the script then takes the page over', async () => {
  await using at = await visit(server.url, desktop)
  at.expectProblem(/401|Failed to load resource/)
  const { page } = at
  const resume = await pauseRequests(page, /\/assets\/(?!entry-start)[^/]+\.js$/)
  await page.goto('/user/signin', { waitUntil: 'commit' })
  await page.getByLabel('Email').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill('wrong-herring')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'Error: 401' })
  await alert.waitFor()
  resume()
  await untilHydrated(page)
  await alert.getByRole('button', { name: 'Dismiss' }).click()
  await alert.waitFor({ state: 'detached' })
  assert.equal(await page.getByLabel('Email').inputValue(), admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/')
})
