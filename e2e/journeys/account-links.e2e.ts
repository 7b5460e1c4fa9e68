import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alertText, ann, linkIn, logIn, signUp } from '../support/account.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { startServerOnPostgres, withoutPostgres } from '../support/postgres.ts'
import { startMailbox } from '../support/smtp.ts'

type Counted = { n: number }

test('expired links say so, change nothing, and lead to new ones that work', {
  skip: withoutPostgres,
}, async () => {
  await using mailbox = await startMailbox()
  await using shop = await startServerOnPostgres({ env: { SMTP_URL: mailbox.url, SAMPLE_DATA: 'off' } })
  await using at = await visit(`${shop.url}/user/signup`)
  at.expectProblem(/status of 40[0-9]|ERR_FAILED/)
  const { page } = at
  const expire = (purpose: string) =>
    shop.query("update one_time_tokens set expires_at = now() - interval '1 second' where purpose = $1", [
      purpose,
    ])
  const activated = async (): Promise<number> => {
    const sql = 'select count(*)::int as n from users where email = $1 and activated_at is not null'
    return (await shop.query<Counted>(sql, [ann.email]))[0]?.n ?? -1
  }

  await signUp(page, ann)
  const late = await mailbox.waitForMail(ann.email, /^Activate your/)
  await expire('activate')
  await page.goto(linkIn(late))
  assert.match(await alertText(page), /^Error: 400: This link has expired\.$/)
  assert.equal(await activated(), 0)
  await page.getByRole('button', { name: 'Log in' }).click()
  await logIn(page, ann)
  const asked: string[] = []
  await page.route('**/api/user/activate/again', (route) => {
    asked.push(route.request().method())
    return asked.length === 1 ? route.abort() : route.continue()
  })
  const sendAgain = page.getByRole('button', { name: 'Send the activation email again' })
  await sendAgain.click()
  await page.getByText('Error: No connection to the shop.').waitFor()
  await sendAgain.dblclick()
  await page.getByText('If an account waits for it, an activation email was sent.').waitFor()
  assert.equal(asked.length, 2, 'it can be tried again, and two clicks are one')
  const again = await mailbox.waitForMail(ann.email, /^Activate your/, late)
  await page.goto(linkIn(again))
  await page.getByText(`The account of ${ann.email} is active.`).waitFor()
  assert.equal(await activated(), 1)

  const ask = async (): Promise<void> => {
    await page.getByLabel('Email').fill(ann.email)
    await page.getByRole('button', { name: 'Send recovery email' }).click()
    await page.getByText(/The recovery email was sent/).waitFor()
  }
  const reset = async (link: string): Promise<void> => {
    await page.goto(link)
    await page.getByLabel('New password', { exact: true }).fill('late oysters')
    await page.getByLabel('Confirm password', { exact: true }).fill('late oysters')
    await page.getByRole('button', { name: 'Reset password' }).click()
  }
  await page.goto('/user/forgotpassword')
  await untilHydrated(page)
  await ask()
  const old = await mailbox.waitForMail(ann.email, /^Set a new/)
  await expire('reset')
  await reset(linkIn(old))
  assert.match(await alertText(page), /^Error: 400: This link has expired\./)
  await page.getByRole('link', { name: 'Ask for a new link' }).click()
  await page.waitForURL(/\/user\/forgotpassword$/)
  await ask()
  await reset(linkIn(await mailbox.waitForMail(ann.email, /^Set a new/, old)))
  await page.getByText('Password Reset Done').waitFor()
})
