import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alertText, ann, assertLoggedIn, linkIn, logIn, logOut, signUp } from '../support/account.ts'
import { untilHydrated, type Visit, visit } from '../support/browser.ts'
import { saveScreenshot } from '../support/screens.ts'
import { codeOf, showSecret } from '../support/second-factor.ts'
import { startServer } from '../support/server.ts'
import { startMailbox } from '../support/smtp.ts'
import { eventually } from '../support/within.ts'

const desktop = { viewport: { width: 1280, height: 900 } }

test('an account from sign-up to recovery, with emails and a second factor; used links and ended sessions no longer work', async () => {
  await using mailbox = await startMailbox()
  await using server = await startServer({ env: { SMTP_URL: mailbox.url } })
  await using at = await visit(`${server.url}/user/signup`, desktop)
  at.expectProblem(/status of 40[0-9]/)
  const { page } = at

  await signUp(page, ann)
  await page.getByText(`An activation email was sent to ${ann.email}.`).waitFor()
  await saveScreenshot(page, 'account-activation-sent')
  await page.getByRole('button', { name: 'Return' }).click()
  await page.waitForURL(/\/user\/signin$/)

  await logIn(page, ann)
  assert.match(
    await alertText(page),
    /^Error: 403: This account is not active yet\. Open the link in the activation email\./,
  )
  await page.getByRole('button', { name: 'Send the activation email again' }).click()
  await page.getByText('If an account waits for it, an activation email was sent.').waitFor()

  const activation = await mailbox.waitForMail(ann.email, /^Activate your/)
  await page.goto(linkIn(activation))
  await page.getByText(`The account of ${ann.email} is active.`).waitFor()
  await page.goto(linkIn(activation))
  assert.match(await alertText(page), /^Error: 400: This link has been used already\.$/)

  await logIn(page, { ...ann, password: 'not it at all' })
  assert.match(await alertText(page), /^Error: 401: Email or password is wrong\.$/)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await logIn(page, ann)
  await assertLoggedIn(page, 'Ann')

  const codes = await switchOnSecondFactor(at)
  await mailbox.waitForMail(ann.email, /two-step login is on/)
  await logOut(page, 'Ann')

  await logIn(page, ann)
  await page.getByLabel('2FA code').fill('000000')
  await page.getByRole('button', { name: 'Verify 2FA' }).click()
  assert.match(await alertText(page), /^Error: 401: The code is wrong or was used before\.$/)
  await saveScreenshot(page, 'account-second-factor')
  await page.getByLabel('2FA code').fill(codeOf(codes.secret, 1))
  await page.getByRole('button', { name: 'Verify 2FA' }).click()
  await assertLoggedIn(page, 'Ann')
  await logOut(page, 'Ann')

  await logIn(page, ann)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(codes.recovery.toLowerCase())
  await page.getByRole('button', { name: 'Verify 2FA' }).click()
  await assertLoggedIn(page, 'Ann')
  await mailbox.waitForMail(ann.email, /recovery code was used/)

  await using elsewhere = await visit(`${server.url}/user/forgotpassword`)
  elsewhere.expectProblem(/status of 40[0-9]/)
  const fresh = await recoverOn(elsewhere, mailbox.waitForMail)
  await page.goto('/user/profile')
  await page.waitForURL(/\/user\/signin\?next=/)

  await logIn(elsewhere.page, ann)
  assert.match(await alertText(elsewhere.page), /^Error: 401: Email or password is wrong\.$/)
  await logIn(elsewhere.page, { email: ann.email, password: fresh })
  await elsewhere.page.getByRole('button', { name: 'Use a recovery code' }).click()
  await elsewhere.page.getByLabel('Recovery code').fill(codes.recovery)
  await elsewhere.page.getByRole('button', { name: 'Verify 2FA' }).click()
  assert.match(await alertText(elsewhere.page), /The code is wrong or was used before/)
})

async function switchOnSecondFactor({ page }: Visit): Promise<{ secret: string; recovery: string }> {
  const secret = await showSecret(page, ann.password)
  await saveScreenshot(page, 'account-second-factor-setup')
  await page.getByLabel('2FA code').fill(codeOf(secret, 0))
  await page.getByRole('button', { name: 'Confirm' }).click()
  const list = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await list.first().waitFor()
  await eventually(() => list.count(), 10)
  const recovery = (await list.first().textContent()) ?? ''
  await saveScreenshot(page, 'account-recovery-codes')
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await page.getByText('10 recovery codes are left.').waitFor()
  return { secret, recovery }
}

async function recoverOn(
  { page }: Visit,
  waitForMail: (to: string, subject: RegExp) => Promise<Parameters<typeof linkIn>[0]>,
): Promise<string> {
  const ask = page.getByRole('button', { name: 'Send recovery email' })
  await untilHydrated(page)
  await page.getByLabel('Email').fill('no address')
  await eventually(() => ask.isDisabled(), true)
  await page.getByLabel('Email').blur()
  await page.getByText('enter valid email address').waitFor()
  await page.getByLabel('Email').fill('nobody@example.com')
  await ask.click()
  assert.match(
    await alertText(page),
    /^Error: 404: No account has this email address\. Please create an account\./,
  )
  await page.getByLabel('Email').fill(ann.email.toUpperCase())
  await ask.click()
  await page.getByText(/The recovery email was sent/).waitFor()

  await page.goto(linkIn(await waitForMail(ann.email, /^Set a new/)))
  const reset = page.getByRole('button', { name: 'Reset password' })
  await page.getByLabel('New password', { exact: true }).fill('short')
  await page.getByLabel('Confirm password', { exact: true }).fill('short')
  await eventually(() => reset.isDisabled(), true)
  await page.getByText('enter password with 6 or more characters').waitFor()
  const fresh = 'warmer oysters'
  await page.getByLabel('New password', { exact: true }).fill(fresh)
  await reset.click()
  await page.getByText("Confirm password doesn't match! Try again.").waitFor()
  await saveScreenshot(page, 'account-reset')
  await page.getByLabel('Confirm password', { exact: true }).fill(fresh)
  await reset.click()
  await page.getByText('Password Reset Done').waitFor()
  await waitForMail(ann.email, /password was changed/)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.waitForURL(/\/user\/signin$/)
  return fresh
}
