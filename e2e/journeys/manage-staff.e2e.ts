import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { linkIn, signInByApi } from '../support/account.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { assertAccessibleAcross, desktop, openManaged, press, visitAsManager } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startMailbox } from '../support/smtp.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const mailbox = await startForFile(startMailbox())
const server = await startForFile(startServer({ env: { SMTP_URL: mailbox.url } }))

const pat = { email: 'pat.packer@example.org', password: 'crates of ice and eels' }
const screens = (page: Page): Promise<string[]> =>
  page.getByRole('navigation', { name: 'Managing' }).locator('a .rail-word').allInnerTexts()

/** It is open by itself for who works alone. */
async function openInvitation(page: Page): Promise<void> {
  if (await page.getByRole('button', { name: 'Send invitation' }).isVisible()) return
  await page.locator('summary', { hasText: 'Invite somebody' }).click()
}

test('a packer is invited by three taps from the screen of staff, on a phone: the panel opens with the cursor in its field', async () => {
  const address = 'tap@example.org'
  await using desk = await visitAsManager(server, '/manage/staff', { viewport: { width: 360, height: 740 } })
  const { page } = desk
  const asked = {
    data: { email: 'first@example.org', rights: ['order:write'] },
    headers: { origin: server.url },
  }
  const invited = await page.request.post(`${server.url}/api/manage/staff/invitation`, asked)
  assert.equal(invited.status(), 201)
  await openManaged(page, '/manage/staff') // two work here by now: the panel is folded
  let taps = 0
  const tap = async (target: Locator): Promise<void> => {
    taps += 1
    await target.click()
  }
  await tap(page.locator('summary', { hasText: 'Invite somebody' }))
  await page.getByLabel('Email', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type(address)
  await tap(page.getByRole('button', { name: 'Packer', exact: true }))
  await tap(page.getByRole('button', { name: 'Send invitation' }))
  await page.getByText(`An invitation was sent to ${address}.`).waitFor()
  assert.equal(taps, 3)
})

test('a packer is invited by three presses, has the rail of a packer, and loses it at the next press', async () => {
  await using desk = await visitAsManager(server, '/manage/staff')
  const { page } = desk
  await openInvitation(page)
  await page.getByLabel('Email', { exact: true }).fill(pat.email)
  await press(page, 'Packer')
  await saveScreenshot(page, 'manage-staff-invite')
  await press(page, 'Send invitation')
  await page.getByText(`An invitation was sent to ${pat.email}.`).waitFor()
  await page.getByRole('table', { name: 'Open invitations' }).getByText(pat.email).waitFor()
  await assertAccessibleAcross(page)

  const mail = await mailbox.waitForMail(pat.email, /^Work at the desk of/)
  await using at = await visit(linkIn(mail), desktop)
  at.expectProblem(/status of 40[03]/)
  const other = at.page
  await other.getByText('orders: pack, change, hand out, recall').waitFor()
  await saveScreenshot(other, 'staff-invitation')
  await other.getByLabel('First name').fill('Pat')
  await other.getByLabel('Last name').fill('Packer')
  await other.getByLabel('Password', { exact: true }).fill(pat.password)
  await other.getByLabel('Confirm password').fill(pat.password)
  await press(other, 'Make my account')
  await other.getByText('You can work at the desk from now on.').waitFor()
  await press(other, 'Log in')
  await untilHydrated(other)
  await other.getByLabel('Email', { exact: true }).fill(pat.email)
  await other.getByLabel('Password', { exact: true }).fill(pat.password)
  await press(other, 'Log in')
  await other.waitForURL('**/manage')
  await other.getByRole('heading', { level: 1 }).waitFor()
  await eventually(() => screens(other), ['Today', 'Orders', 'Complaints', 'Slots'])
  await saveScreenshot(other, 'desk-of-a-packer')
  await other.goto(`${server.url}/manage/product`)
  await other.getByText('You don’t have access to this page.').waitFor()
  await other.goto(linkIn(mail))
  await other.getByText('This link has been used already.').waitFor()
  await other.goto(`${server.url}/manage`)
  await untilHydrated(other)

  await page.reload()
  await untilHydrated(page)
  await page.getByRole('button', { name: 'Take all rights from Pat Packer' }).click()
  await press(page, 'Take them')
  await page.getByText('Pat Packer does not work at the desk any more.').waitFor()
  await other.getByRole('navigation', { name: 'Managing' }).getByRole('link', { name: 'Orders' }).click()
  await other.getByText('You don’t have access to this page.').first().waitFor()
})

test('rights are changed one by one, and an invitation is revoked', async () => {
  await using desk = await visitAsManager(server, '/manage/staff')
  const { page } = desk
  await openInvitation(page)
  const address = 'kim@example.org'
  await press(page, 'Send invitation')
  await page.getByText('rights are required').waitFor()
  await page.getByText('enter valid email address').waitFor()
  await page.getByLabel('Email', { exact: true }).fill(address)
  await page.getByLabel('devices and trackers').check()
  await press(page, 'Send invitation')
  const row = page.getByRole('table', { name: 'Open invitations' }).getByRole('row', { name: address })
  await row.getByText('devices and trackers').waitFor()
  await press(page, `Revoke the invitation of ${address}`)
  await page.getByText(`The link sent to ${address} no longer works.`).waitFor()
  await eventually(() => row.count(), 0)
  const mail = await mailbox.waitForMail(address, /^Work at the desk of/)
  await using at = await visit(linkIn(mail), desktop)
  at.expectProblem(/status of 400/)
  await at.page.getByText('This link is not valid.').waitFor()
  await at.page.getByRole('button', { name: 'Try again' }).waitFor()
})

test('who keeps the boxes and no orders sees a box without what became of it, and is led nowhere else', async () => {
  await using desk = await visitAsManager(server, '/manage/staff')
  const kim = { email: 'kim.keeper@example.org', password: 'tags on every crate' }
  const asked = { data: { email: kim.email, rights: ['box:write'] }, headers: { origin: server.url } }
  const made = await desk.page.request.post(`${server.url}/api/manage/staff/invitation`, asked)
  assert.equal(made.status(), 201, await made.text())
  const link = linkIn(await mailbox.waitForMail(kim.email, /^Work at the desk of/))
  const person = { fname: 'Kim', lname: 'Keeper', password: kim.password, confirmPassword: kim.password }
  const joined = await fetch(`${server.url}/api/user/staff/join`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: link.split('/').at(-1), person }),
  })
  assert.equal(joined.status, 201, await joined.text())

  const prepare = (context: BrowserContext) => signInByApi(context, server.url, kim)
  await using at = await visit(`${server.url}/manage/box/0345579444`, { ...desktop, prepare })
  at.expectProblem(/status of 403/)
  const { page } = at
  await untilHydrated(page)
  await page.getByRole('heading', { level: 2, name: 'Records' }).waitFor()
  for (const theirs of ['Sold from this box', 'Recall', 'Products from this box'])
    assert.equal(await page.getByRole('heading', { level: 2, name: theirs }).count(), 0, theirs)
  await eventually(() => screens(page), ['Today', 'Boxes', 'Excursions', 'Trade', 'Suppliers'])
  for (const name of ['Excursions', 'Trade', 'Suppliers', 'Today']) {
    await page.getByRole('navigation', { name: 'Managing' }).getByText(name, { exact: true }).click()
    await page.getByRole('heading', { level: 1, name: name === 'Today' ? name : /^Manage/ }).waitFor()
    assert.equal(await page.getByRole('alert').count(), 0, name)
  }
})
