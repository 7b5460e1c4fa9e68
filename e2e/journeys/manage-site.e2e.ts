import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { pauseRequests, untilHydrated, visit } from '../support/browser.ts'
import { assertAccessibleAcross, openManaged, press, visitAsManager } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { admin, startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

/** Somebody else saves a part meanwhile. No key may. */
async function save(value: object): Promise<void> {
  const send = (path: string, method: string, body: object, more = {}) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...more },
      body: JSON.stringify(body),
    })
  const { token } = await (await send('/api/user/signIn', 'POST', admin)).json()
  const answer = await send('/api/manage/site', 'PUT', value, { authorization: `Bearer ${token}` })
  assert.equal(answer.status, 200, await answer.text())
}

const formOf = (page: Page, name: string) => page.getByRole('form', { name, exact: true })

test('a manager says who sells, which pages show at once, takes it back, and finds each version in the history', async () => {
  await using at = await visitAsManager(server, '/manage/site')
  const { page } = at
  await page.getByRole('link', { name: /^Who sells/ }).click()
  const form = formOf(page, 'Who sells')
  await form.getByLabel('ABN').fill('12 345')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('must be an ABN: 11 digits with right check digits').waitFor()
  await form.getByLabel('ABN').fill('51 824 753 556')
  await form.getByLabel('Address').fill('1 Bank St, Pyrmont NSW 2009')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText(/^name is required/).waitFor()
  await form.getByLabel('Name').fill('Fish & Sons')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. Every page shows it now.').waitFor()

  await using shopper = await visit(`${server.url}/about/contact`)
  await shopper.page.getByRole('main').getByText('Name: Fish & Sons').waitFor()
  await shopper.page.getByRole('contentinfo').getByText('Fish & Sons, ABN 51 824 753 556').waitFor()

  await form.getByLabel('Name').fill('Fish & Daughters')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^Version 2, by /).waitFor()
  await press(page, 'History')
  const history = page.getByRole('dialog')
  await history.getByText('Fish & Daughters').waitFor()
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-site-history')
  await history.getByRole('button', { name: 'Close' }).click()
  await press(page, 'Undo')
  await page.getByText('Undone. Every page says what it said before.').waitFor()
  await eventually(() => form.getByLabel('Name').inputValue(), 'Fish & Sons')
  await assertAccessibleAcross(page)
  await press(page, 'Return to what the shop began with')
  await eventually(() => form.getByLabel('Name').inputValue(), '')
  await shopper.page.reload()
  await shopper.page.getByText('This shop has not stated who sells').waitFor()
})

test('of two who edit one part the second sees both, field by field; what is typed stays over a reload', async () => {
  await using at = await visitAsManager(server, '/manage/site?part=place')
  at.expectProblem(/status of 409/)
  const { page } = at
  const form = formOf(page, 'Where orders are picked up')
  await form.getByLabel('Name').fill('The Shed')
  await form.getByLabel('Latitude').fill('-37.07')
  const theirs = {
    part: 'place',
    name: 'The Hall',
    address: '2 Quay Rd',
    latitude: -33.8727,
    longitude: 151.1925,
  }
  await save(theirs)
  await page.reload()
  await untilHydrated(page)
  await eventually(() => form.getByLabel('Name').inputValue(), 'The Shed')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/changed this in the meantime\. Nothing was saved\./).waitFor()
  await page.getByText('Theirs: The Hall').waitFor()
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-site-conflict')
  await press(page, 'Keep editing Where orders are picked up')
  await eventually(() => form.getByLabel('Address').inputValue(), '2 Quay Rd')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. Every page shows it now.').waitFor()
  await openManaged(page, '/')
  await page.getByText('Pick-up at The Shed').first().waitFor()
})

test('what is typed between Save and the end of its reading on a slow line stays, and is saved by the next one', async () => {
  await using at = await visitAsManager(server, '/manage/site?part=seller')
  const { page } = at
  const form = formOf(page, 'Who sells')
  await form.getByLabel('Name').fill('Slow & Sons')
  const readAgain = await pauseRequests(page, /\/api\/manage\/site\/seller/)
  const resume = await pauseRequests(page, /\/api\/manage\/site$/)
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByLabel('Address').fill('3 Quay Rd')
  resume()
  await page.getByText('Saved. Every page shows it now.').waitFor()
  await eventually(() => form.getByLabel('Name').inputValue(), 'Slow & Sons')
  await form.getByLabel('Phone').fill('02 9000 0000')
  readAgain()
  await page.getByText(/^Version \d+, by /).waitFor()
  await eventually(() => form.getByLabel('Address').inputValue(), '3 Quay Rd')
  await eventually(() => form.getByLabel('Phone').inputValue(), '02 9000 0000')
  await form.getByRole('button', { name: 'Save' }).click()
  await eventually(() => form.getByRole('button', { name: 'Discard what I typed' }).count(), 0)
  await page.reload()
  await untilHydrated(page)
  const kept = ['Name', 'Address', 'Phone'].map((name) => form.getByLabel(name).inputValue())
  assert.deepEqual(await Promise.all(kept), ['Slow & Sons', '3 Quay Rd', '02 9000 0000'])
})

test('the words of a page are previewed and saved, a script in them is text, and the history has the lines that changed', async () => {
  await using at = await visitAsManager(server, '/manage/site?part=about.terms')
  const { page } = at
  const form = formOf(page, 'Terms')
  const text = await form.getByLabel('Text').inputValue()
  await form.getByLabel('Text').fill(`${text}\n\nOf {{shop}}. <script>document.title = 'taken'</script>`)
  await press(page, 'Preview')
  await form.getByText('{{shop}} is nothing that the shop fills in').waitFor()
  await form.getByLabel('Text').fill(`${text}\n\nAt {{market}}. <script>document.title = 'taken'</script>`)
  await press(page, 'Preview')
  const preview = page.getByRole('dialog')
  await preview.getByText(/^At The Shed.*<script>document\.title = 'taken'<\/script>$/).waitFor()
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-site-preview')
  await preview.getByRole('button', { name: 'Close' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. Every page shows it now.').waitFor()
  await press(page, 'History')
  const history = page.getByRole('dialog')
  await history.getByText(/At \{\{market\}\}/).waitFor()
  assert.ok(!(await history.innerText()).includes('Sample text'), 'only what changed')
  await history.getByRole('button', { name: 'Close' }).click()

  await using shopper = await visit(`${server.url}/about/terms`)
  await shopper.page.getByText(/^At The Shed.*<script>/).waitFor()
  assert.notEqual(await shopper.page.title(), 'taken')
})

test('what an email says is refused without its links, previewed with sample facts, saved and taken back', async () => {
  await using at = await visitAsManager(server, '/manage/site')
  const { page } = at
  await page.getByText(/^Emails to shoppers/).click()
  await page.getByRole('link', { name: /^Order: placed/ }).click()
  const form = formOf(page, 'Order: placed')
  const text = await form.getByLabel('Text').inputValue()
  await form.getByLabel('Text').fill(text.replace('{{links}}', ''))
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText(/^\{\{links\}\} is missing: buttons/).waitFor()
  await form.getByLabel('Button (optional)').fill('See {{order}}')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('{{order}} is not filled in in a button').waitFor()
  await form.getByLabel('Button (optional)').fill('See it at {{shop}}')
  await form.getByLabel('Subject').fill('Caught for you: {{order}}')
  await form.getByLabel('Text').fill(`Hello <b>you</b>.\n\n${text}`)
  await press(page, 'Preview')
  const preview = page.getByRole('dialog')
  await preview.getByRole('heading', { name: 'Caught for you: SAMPLE-1' }).waitFor()
  await preview.getByText('Hello <b>you</b>.', { exact: true }).first().waitFor()
  const colour = () =>
    preview
      .getByRole('link', { name: 'See it at BeFAQT' })
      .evaluate((link) => getComputedStyle(link).backgroundColor)
  await eventually(colour, 'rgb(11, 92, 99)')
  await preview.getByText('As plain text').click()
  await preview.getByText(/Order: SAMPLE-1\n/).waitFor()
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-site-email')
  await preview.getByRole('button', { name: 'Close' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. The next emails say it now.').waitFor()
  await press(page, 'Undo')
  await page.getByText('Undone. The next emails say what they said before.').waitFor()
  await eventually(() => form.getByLabel('Subject').inputValue(), 'Your order {{order}}')
  await eventually(() => form.getByLabel('Button (optional)').inputValue(), 'See your order')
})

test('an invitation of staff is among the emails to staff; a button that is emptied says the shop’s own word again', async () => {
  await using at = await visitAsManager(server, '/manage/site')
  const { page } = at
  await page.getByText(/^Emails to staff and suppliers/).click()
  await page.getByRole('link', { name: /^Staff: invited to the desk/ }).click()
  const form = formOf(page, 'Staff: invited to the desk')
  const button = form.getByLabel('Button (optional)')
  await button.fill('Come aboard')
  await press(page, 'Preview')
  const preview = page.getByRole('dialog')
  await preview.getByRole('link', { name: 'Come aboard' }).waitFor()
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-site-staff-email')
  await preview.getByRole('button', { name: 'Close' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. The next emails say it now.').waitFor()
  await form.getByRole('button', { name: 'Discard what I typed' }).waitFor({ state: 'hidden' })
  await button.fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await eventually(() => button.inputValue(), 'Look at the invitation')
})

test('a partner is added to those that the home page names, and put first', async () => {
  await using at = await visitAsManager(server, '/manage/site?part=partners')
  const { page } = at
  const form = formOf(page, 'Partners')
  await press(page, 'Add a partner')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('name is required').waitFor()
  const added = form.getByRole('group').last()
  await added.getByLabel('Name').fill('Harbour School')
  await added.getByLabel('What it is').fill('School')
  await added.getByLabel('Link').fill('https://school.example/')
  for (let i = 0; i < 3; i++) await press(page, 'Move up Harbour School')
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-site-partners')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. Every page shows it now.').waitFor()
  await openManaged(page, '/')
  const partners = page.getByRole('complementary', { name: 'Project partners' }).getByRole('link')
  await eventually(async () => (await partners.first().innerText()).split('\n')[0], 'Harbour School')
  assert.equal(await partners.count(), 4)
})
