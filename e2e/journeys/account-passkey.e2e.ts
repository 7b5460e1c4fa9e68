import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alertText, assertLoggedIn, logIn, logOut } from '../support/account.ts'
import { visit } from '../support/browser.ts'
import { admin, startServer } from '../support/server.ts'

const desk = { viewport: { width: 1280, height: 900 } }

test('a passkey is added in the profile, logs in without a password, and is gone when it is removed', async () => {
  await using server = await startServer()
  await using at = await visit(`${server.url}/user/signin`, desk)
  at.expectProblem(/status of 401/)
  const { page } = at
  const cdp = await at.context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })

  await logIn(page, admin)
  await assertLoggedIn(page, 'Admin')
  await page.goto('/user/profile')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name of the passkey').fill('Harbour laptop')
  await page.getByLabel('Your password').fill(admin.password)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('Harbour laptop').waitFor()
  await page.getByRole('button', { name: 'Add a passkey' }).waitFor()
  await logOut(page, 'Admin')

  const byPasskey = page.getByRole('button', { name: 'Login with a passkey' })
  await page.goto('/user/signin?next=/user/profile')
  await byPasskey.click()
  await page.getByRole('heading', { name: 'My Profile' }).waitFor()
  await page.getByText(/last used/).waitFor()
  await page.getByRole('button', { name: 'Remove Harbour laptop' }).click()
  await page.getByText('Harbour laptop').waitFor({ state: 'detached' })
  await logOut(page, 'Admin')

  await page.goto('/user/signin')
  await byPasskey.click()
  assert.match(await alertText(page), /^Error: 401: This passkey is not known here\.$/)
})
