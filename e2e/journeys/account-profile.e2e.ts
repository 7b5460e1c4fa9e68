import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { alertText, ann, assertLoggedIn, linkIn, logIn, type Person, signUp } from '../support/account.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { saveScreenshot } from '../support/screens.ts'
import { admin, startServer } from '../support/server.ts'
import { startMailbox } from '../support/smtp.ts'
import { eventually } from '../support/within.ts'

const desktop = { viewport: { width: 1280, height: 900 } }
const mark: Person = { ...ann, fname: '<b id="evil">Mark</b>', email: 'mark@example.com' }

test('users edit their profile, see and end their sessions, and cannot open managers’ pages', async () => {
  await using mailbox = await startMailbox()
  await using server = await startServer({ env: { SMTP_URL: mailbox.url } })
  await using one = await visit(`${server.url}/user/signup`, desktop)
  await using two = await visit(`${server.url}/user/signup`)
  one.expectProblem(/status of 40[0-9]/)
  two.expectProblem(/status of 40[0-9]/)
  const { page } = one

  await Promise.all([signUp(page, mark), signUp(two.page, mark)])
  for (const { page: signedUp } of [one, two])
    await signedUp.getByText(/An activation email was sent to/).waitFor()
  const first = await mailbox.waitForMail(mark.email, /^Activate your/)
  await page.goto(linkIn(first))
  await page.getByText(/is active\.$/).waitFor()

  await logIn(page, mark)
  await assertLoggedIn(page, mark.fname)
  await eventually(() => page.locator('#evil').count(), 0, 'a name that is HTML is shown as it was typed')
  await logIn(two.page, mark)
  await two.page.waitForURL((url) => url.pathname === '/')

  await page.goto('/user/profile')
  const shown = page.getByRole('textbox', { name: 'Email' })
  await eventually(() => shown.inputValue(), mark.email)
  assert.equal(await shown.isEditable(), false)
  await untilHydrated(page) // else the form is sent as a document, and its answer says what is wrong twice
  await page.getByLabel('First name').fill('')
  await page.getByLabel('Mobile phone').fill('0412 345 67x')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('first name is required').waitFor()
  await page.getByText('enter valid mobile number').waitFor()
  await page.getByLabel('First name').fill('Marcus')
  await page.getByLabel('Mobile phone').fill('04 1234 5678')
  await page.getByRole('button', { name: 'Save' }).click()
  await assertLoggedIn(page, 'Marcus')

  await page.goto('/user/profile')
  const others = page.getByRole('button', { name: /^Log out Chrome/ })
  await others.first().waitFor()
  await eventually(() => others.count(), 1)
  await page.getByRole('button', { name: 'Log out everywhere else' }).click()
  await others.first().waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('This device'))
  await two.page.goto('/user/profile')
  await two.page.waitForURL(/\/user\/signin\?next=\/user\/profile$/)

  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByLabel('Current password', { exact: true }).fill('not it')
  await page.getByLabel('New password', { exact: true }).fill('new mussels')
  await page.getByLabel('Confirm password', { exact: true }).fill('new mussels')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('the password is wrong', { exact: true }).waitFor()
  await page.getByLabel('Current password', { exact: true }).fill(mark.password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('The password was changed.').waitFor()
  await mailbox.waitForMail(mark.email, /password was changed/)

  const newer = 'marcus.who.moved.to.the.long.pier.of.pyrmont@fish-markets.example.org'
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByRole('textbox', { name: 'New email' }).fill(mark.email)
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByText('is the one that you have', { exact: true }).waitFor()
  await page.getByRole('textbox', { name: 'New email' }).fill(newer)
  await page.getByRole('button', { name: 'Change email' }).click()
  const waiting = page.getByText(`Not confirmed yet: ${mark.email} and ${newer}`)
  await waiting.waitFor()
  await page.setViewportSize({ width: 320, height: 700 })
  await eventually(async () => {
    const box = await waiting.boundingBox()
    return box !== null && box.x + box.width < 320
  }, true)
  await saveScreenshot(page, 'account-email-waits')
  await page.setViewportSize(desktop.viewport)
  for (const [to, said] of [
    [newer, /when the other address has confirmed it/],
    [mark.email, /the email of the account is changed/],
  ] as const) {
    await two.page.goto(linkIn(await mailbox.waitForMail(to, /^Change the email of your/)))
    await saveScreenshot(two.page, 'account-email-change')
    await two.page.getByRole('button', { name: 'Confirm the change' }).click()
    await two.page.getByText(said).waitFor()
  }
  await mailbox.waitForMail(mark.email, /was changed$/)
  await page.goto('/user/profile')
  await eventually(() => shown.inputValue(), newer)

  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my data' }).click()
  const saved = await readFile(await (await saving).path(), 'utf8')
  assert.equal(JSON.parse(saved).account[0].email, newer)

  for (const path of ['/manage/user', '/manage/category', '/manage/product']) {
    const answer = await page.goto(path)
    assert.equal(answer?.status(), 403, path)
  }
  await page.getByText('You don’t have access to this page.').waitFor()

  await page.goto('/user/profile')
  await untilHydrated(page)
  await page.evaluate(() => localStorage.setItem('befaqt-searches', '["octopus"]'))
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete my account' }).click()
  await page.waitForURL((url) => url.pathname === '/')
  await mailbox.waitForMail(newer, /account was deleted$/)
  assert.equal(await page.evaluate(() => localStorage.getItem('befaqt-searches')), null)
  await page.goto('/user/profile')
  await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor()
})

test('repeated sign-ups with one address are asked to wait, and the form keeps what was typed', async () => {
  await using server = await startServer()
  const { password, ...person } = ann
  for (let i = 0; i < 6; i++) {
    const answer = await fetch(`${server.url}/api/user/signUp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...person, password, confirmPassword: password }),
    })
    assert.equal(answer.status, 201)
  }
  await using at = await visit(`${server.url}/user/signup`)
  at.expectProblem(/status of 429/)
  await signUp(at.page, ann)
  assert.match(await alertText(at.page), /^Error: 429: Too many tries\. Please wait \d+ seconds\.$/)
  await eventually(() => at.page.getByLabel('Last name').inputValue(), ann.lname)
  await at.page.getByRole('button', { name: 'Dismiss' }).click()
  await at.page.getByRole('alert').waitFor({ state: 'detached' })
})

test('links that are invalid, used or of another kind say so and change nothing', async () => {
  await using mailbox = await startMailbox()
  await using server = await startServer({ env: { SMTP_URL: mailbox.url } })
  await using at = await visit(`${server.url}/user/forgotpassword`)
  at.expectProblem(/status of 40[0-9]/)
  const { page } = at
  await untilHydrated(page)
  await page.getByLabel('Email').fill(admin.email)
  await page.getByRole('button', { name: 'Send recovery email' }).click()
  const link = linkIn(await mailbox.waitForMail(admin.email))
  const token = link.split('/').at(-1)

  await page.goto(`/user/activate/${token}`)
  assert.match(await alertText(page), /^Error: 400: This link is not valid\.$/)
  await page.goto(`/user/firstadmin/${token}`)
  await page.getByLabel('First name').fill('Eve')
  await page.getByLabel('Last name').fill('Eel')
  await page.getByLabel('Email').fill('eve@example.com')
  await page.getByLabel('Password', { exact: true }).fill('eels eels')
  await page.getByLabel('Confirm password', { exact: true }).fill('eels eels')
  await page.getByRole('button', { name: 'Create administrator' }).click()
  assert.match(await alertText(page), /^Error: 400: This link is not valid\.$/)

  const reset = async (path: string): Promise<void> => {
    await page.goto(path)
    await page.getByLabel('New password', { exact: true }).fill('other nets')
    await page.getByLabel('Confirm password', { exact: true }).fill('other nets')
    await page.getByRole('button', { name: 'Reset password' }).click()
  }
  await reset('/user/resetpassword/made-up')
  assert.match(await alertText(page), /^Error: 400: This link is not valid\./)
  await reset(link)
  await page.getByText('Password Reset Done').waitFor()
  await reset(link)
  assert.match(await alertText(page), /^Error: 400: This link has been used already\./)

  const foreign = await fetch(`${server.url}/api/user/forgotpassword`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: admin.email, resetPasswordLink: 'https://evil.example/' }),
  })
  assert.equal(foreign.status, 400)
  assert.equal(mailbox.mails.filter(({ text }) => text?.includes('evil.example')).length, 0)
})

test('the printed link creates the first administrator, and works once', async () => {
  await using server = await startServer({ env: { ADMIN_EMAIL: '', ADMIN_PASSWORD: '', SAMPLE_DATA: 'off' } })
  const link = /http:\/\/\S+\/user\/firstadmin\/\S+/.exec(server.printed())?.[0]
  assert.ok(link, 'a link is printed')
  await using at = await visit(link, desktop)
  at.expectProblem(/status of 400/)
  const { page } = at
  const fill = async (): Promise<void> => {
    await page.getByLabel('First name').fill('Mia')
    await page.getByLabel('Last name').fill('Moss')
    await page.getByLabel('Email').fill('mia@example.com')
    await page.getByLabel('Password', { exact: true }).fill('low tide')
    await page.getByLabel('Confirm password', { exact: true }).fill('low tide')
    await page.getByRole('button', { name: 'Create administrator' }).click()
  }
  await fill()
  await page.getByText('You are the administrator of this shop.').waitFor()
  await logIn(page, { email: 'mia@example.com', password: 'low tide' })
  await assertLoggedIn(page, 'Mia')
  await page.getByRole('navigation', { name: 'Main' }).getByText('Manage', { exact: true }).first().waitFor()
  await page.goto(link)
  await fill()
  assert.match(await alertText(page), /^Error: 400: This link has been used already\.$/)
})
