import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ann, signUp } from '../support/account.ts'
import { visit } from '../support/browser.ts'
import { assertAccessibleAcross, openManaged, press, rowsOf, visitAsManager } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startForFile, startWithMailbox } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const { server, mailbox } = await startForFile(startWithMailbox())

/** Signs up with an address that the mail server rejects. */
async function signUpInVain(email: string): Promise<void> {
  mailbox.refuse('5.1.1 No such user here')
  await using guest = await visit(server.url)
  await signUp(guest.page, { ...ann, email })
  await guest.page.getByText(/An activation email was sent/).waitFor()
}

/** Waits, logged in as a manager, until the shop lists this number of failed emails. */
const waitForHeld = (page: Page, count: number) =>
  page.waitForFunction(
    async (count) => (await (await fetch('/api/manage/mail?page=1')).json()).total === count,
    count,
    { polling: 200 },
  )

const held = (page: Page) => rowsOf(page, 'Undelivered emails')
const status = (page: Page, words: string) => page.getByRole('status').getByText(words, { exact: true })

test('a rejected email is named on the dashboard, resent, and gone from the list when delivered', async () => {
  await signUpInVain(ann.email)
  await using at = await visitAsManager(server, '/manage')
  const { page } = at
  await waitForHeld(page, 1)
  await page.reload()
  await page.getByRole('link', { name: '1 email could not be delivered' }).click()
  await page.getByRole('heading', { level: 1, name: 'Manage Mail' }).waitFor()
  const row = held(page).filter({ hasText: ann.email })
  await row.getByText('Activation email').waitFor()
  await row.getByText('The mail server rejects this address: 550 5.1.1 No such user here').waitFor()
  await row.getByText('not retried').waitFor()
  assert.doesNotMatch(await page.content(), /activate\/|sealed/)
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-mail')

  await press(page, `Retry now: activation email to ${ann.email}`)
  await status(page, `It failed again: activation email to ${ann.email}.`).waitFor()
  mailbox.refuse(null)
  await press(page, `Retry now: activation email to ${ann.email}`)
  const mail = await mailbox.waitForMail(ann.email, /Activate/)
  assert.match(mail.text ?? '', /\/user\/activate\//)
  await status(page, `Sent: activation email to ${ann.email}.`).waitFor()
  await page.getByText('No failed emails.').waitFor()

  await press(page, 'Activity')
  const history = page.getByRole('dialog', { name: 'History of failed emails' })
  await history.getByText(`retried the activation email to ${ann.email} after 1 try.`).first().waitFor()
  await history.getByText('Admin Admin').first().waitFor()
  await page.goto('/manage')
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
  await eventually(() => page.getByRole('link', { name: /mails? could not be delivered/ }).count(), 0)
})

test('several emails are resent at once; one is discarded after a confirmation, on a phone too', async () => {
  await signUpInVain('bea@shop.example')
  await signUpInVain('cem@shop.example')
  await using at = await visitAsManager(server, '/manage/mail', { viewport: { width: 390, height: 844 } })
  const { page } = at
  await waitForHeld(page, 2)
  await page.reload()
  await held(page).nth(1).waitFor()
  const giveUp = 'Discard: activation email to cem@shop.example'
  await press(page, giveUp)
  const ask = page.getByRole('dialog', { name: 'Discard this email?' })
  await saveScreenshot(page, 'manage-mail-give-up')
  await ask.getByRole('button', { name: 'Cancel' }).click()
  await held(page).nth(1).waitFor()
  await press(page, giveUp)
  await ask.getByRole('button', { name: 'Discard it' }).click()
  await status(page, 'Discarded: activation email to cem@shop.example.').waitFor()
  await held(page).nth(1).waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.ariaLabel?.endsWith('bea@shop.example'))

  await signUpInVain('dan@shop.example')
  await waitForHeld(page, 2)
  await page.reload()
  mailbox.refuse(null)
  await press(page, 'Retry all now')
  await mailbox.waitForMail('bea@shop.example')
  await mailbox.waitForMail('dan@shop.example')
  await page.getByText('No failed emails.').waitFor()
  assert.equal(mailbox.mails.filter(({ recipients }) => recipients.includes('cem@shop.example')).length, 0)

  await signUpInVain('eve@shop.example')
  await waitForHeld(page, 1)
  await openManaged(page, '/manage')
  mailbox.refuse(null)
  await press(page, 'Send again')
  await status(page, '1 email is sent again.').waitFor()
  await mailbox.waitForMail('eve@shop.example')
})

test('a list of emails that cannot be loaded says so, and loads when tried again', async () => {
  await using at = await visitAsManager(server, '/manage/key')
  at.expectProblem(/status of 503/)
  const { page } = at
  const error = { code: 'unavailable', message: 'Please try again in a minute.' }
  await page.route('**/api/manage/mail*', (route) => route.fulfill({ status: 503, json: { error } }))
  await page.getByRole('navigation', { name: 'Managing' }).getByRole('link', { name: 'Mail' }).click()
  await page.getByText('Error: Please try again in a minute.').waitFor()
  await page.unroute('**/api/manage/mail*')
  await press(page, 'Try again')
  await page.getByText('No failed emails.').waitFor()
})
