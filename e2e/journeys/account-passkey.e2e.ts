import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alertText, assertLoggedIn, logIn, logOut } from '../support/account.ts'
import { visit } from '../support/browser.ts'
import { addAuthenticator, addPasskey } from '../support/second-factor.ts'
import { admin, startServer } from '../support/server.ts'

const desktop = { viewport: { width: 1280, height: 900 } }

test('a passkey is added in the profile, logs in without a password, and no longer works once removed', async () => {
  await using server = await startServer()
  await using at = await visit(`${server.url}/user/signin`, desktop)
  at.expectProblem(/status of 401/)
  const { page } = at
  await addAuthenticator(await at.context.newCDPSession(page))

  await logIn(page, admin)
  await assertLoggedIn(page, 'Admin')
  await addPasskey(page, 'Harbour laptop', admin.password)
  await logOut(page, 'Admin')

  const byPasskey = page.getByRole('button', { name: 'Log in with a passkey' })
  await page.goto('/user/signin?next=/user/profile')
  await byPasskey.click()
  await page.getByRole('heading', { name: 'My Profile' }).waitFor()
  await page.getByText(/last used/).waitFor()
  await page.getByRole('button', { name: 'Remove Harbour laptop' }).click()
  await page.getByRole('button', { name: 'Remove the passkey' }).click()
  await page.getByText('Harbour laptop').waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.textContent === 'Add a passkey')
  await logOut(page, 'Admin')

  await page.goto('/user/signin')
  await byPasskey.click()
  assert.match(await alertText(page), /^Error: 401: This passkey is not known to the shop\.$/)
})
