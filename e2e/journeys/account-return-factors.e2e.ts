import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ann, linkIn, logOut, type Person, signUp } from '../support/account.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { desktop, visitAsManager } from '../support/manager.ts'
import { addAuthenticator, addPasskey, codeOf, showSecret } from '../support/second-factor.ts'
import { admin, startServer } from '../support/server.ts'
import { startForFile, startWithMailbox } from '../support/start.ts'

const { server, mailbox } = await startForFile(startWithMailbox())

/** The page on which every login in this file begins. */
const FROM = '/product?q=crab'

/** Clicks Log in in the navigation bar of that page. */
async function goToLogin(page: Page): Promise<void> {
  await page.goto(FROM)
  await untilHydrated(page)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Log in' }).click()
  await page.waitForURL(/\/user\/signin\?next=/)
}

async function sendLogin(page: Page, { email, password }: Pick<Person, 'email' | 'password'>): Promise<void> {
  await untilHydrated(page)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

/** Waits until that page is shown again, logged in. */
async function isBack(page: Page, fname: string): Promise<void> {
  await page.waitForURL((url) => url.pathname + url.search === FROM)
  await page.getByRole('heading', { level: 1, name: 'Results for “crab”' }).waitFor()
  await page.getByRole('navigation', { name: 'Main' }).getByText(fname, { exact: true }).first().waitFor()
}

test('logging in with a second factor, also after a wrong code or with a recovery code, returns to the page', async () => {
  await using at = await visitAsManager(server, '/user/profile')
  at.expectProblem(/status of 40[13]/)
  const { page } = at
  const secret = await showSecret(page, admin.password)
  await page.getByLabel('2FA code').fill(codeOf(secret, 0))
  await page.getByRole('button', { name: 'Confirm' }).click()
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  const recovery = (await codes.first().textContent()) ?? ''
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await logOut(page, 'Admin')

  const verify = page.getByRole('button', { name: 'Verify 2FA' })
  await goToLogin(page)
  await sendLogin(page, admin)
  await page.getByLabel('2FA code').fill('000000')
  await verify.click()
  await page.getByRole('alert').getByText('The code is wrong or was used before.').waitFor()
  await page.getByLabel('2FA code').fill(codeOf(secret, 1))
  await verify.click()
  await isBack(page, 'Admin')
  await page.goBack()
  await isBack(page, 'Admin')
  await logOut(page, 'Admin')

  await goToLogin(page)
  await sendLogin(page, admin)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recovery)
  await verify.click()
  await isBack(page, 'Admin')
})

test('logging in with a passkey returns to the page', async () => {
  await using shop = await startServer({ env: { SMTP_URL: mailbox.url } })
  await using at = await visitAsManager(shop, '/user/profile')
  const { page } = at
  await addAuthenticator(await at.context.newCDPSession(page))
  await addPasskey(page, 'Harbour laptop', admin.password)
  await logOut(page, 'Admin')
  await goToLogin(page)
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await isBack(page, 'Admin')
})

test('an activation link requested again at the login, opened in another tab, leads back to the page', async () => {
  await using at = await visit(`${server.url}/user/signup`, desktop)
  at.expectProblem(/status of 403/)
  const { page, context } = at
  await signUp(page, ann)
  const lost = await mailbox.waitForMail(ann.email, /^Activate your/)
  await goToLogin(page)
  await sendLogin(page, ann)
  await page.getByRole('button', { name: 'Send the activation email again' }).click()
  const mail = await mailbox.waitForMail(ann.email, /^Activate your/, lost)
  const tab = await context.newPage()
  await tab.goto(linkIn(mail))
  await tab.getByText('is active.').waitFor()
  await tab.getByRole('main').getByRole('button', { name: 'Log in' }).click()
  await sendLogin(tab, ann)
  await isBack(tab, 'Ann')
})
