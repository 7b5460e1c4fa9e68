import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sampleBox } from '../support/box-page.ts'
import { untilHydrated } from '../support/browser.ts'
import { press, visitAsManager } from '../support/manager.ts'
import { type Server, startServer } from '../support/server.ts'
import { eventually } from '../support/within.ts'

let server: Server
before(async () => {
  server = await startServer()
})
after(() => server[Symbol.asyncDispose]())

const today = (page: Page) => page.getByRole('navigation', { name: 'Managing' }).getByText('Today')

const forms = [
  ['/manage/excursion', 'Set a limit', 'Species', 'Bluefin tuna'],
  ['/manage/excursion', 'Notify somebody', 'Address', 'https://hooks.example.org/cold-chain'],
  ['/manage/slot', 'Close a day', 'Reason (optional)', 'Good Friday'],
] as const

for (const [path, form, label, text] of forms)
  test(`what was typed into “${form}” is asked about before it is left, and outlives a reload`, async () => {
    await using manager = await visitAsManager(server, path)
    const { page } = manager
    const field = page.getByRole('form', { name: form }).getByLabel(label)
    await field.fill(text)
    await today(page).click()
    await press(page, 'Keep editing')
    await eventually(() => field.inputValue(), text)
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await untilHydrated(page)
    await eventually(() => field.inputValue(), text)
    await today(page).click()
    await press(page, 'Discard changes')
    await page.waitForURL('**/manage')
    await page.goBack()
    await untilHydrated(page)
    await eventually(() => field.inputValue(), '', 'what was discarded does not come back')
  })

test('the key of a device is kept until the device is registered, also when one goes back', async () => {
  await using manager = await visitAsManager(server, '/manage/device')
  const { page } = manager
  const key = '11'.repeat(32)
  const form = page.getByRole('form', { name: 'Register a device' })
  await form.getByLabel('Name', { exact: true }).fill('Logger of the Gannet')
  await form.getByLabel('Public key').fill(key)
  await press(page, 'Continue')
  await page.getByRole('heading', { name: 'Let Logger of the Gannet sign this message' }).waitFor()
  await today(page).click()
  await press(page, 'Keep editing')
  await press(page, 'Cancel')
  await eventually(() => form.getByLabel('Name', { exact: true }).inputValue(), 'Logger of the Gannet')
  await eventually(() => form.getByLabel('Public key').inputValue(), key)
})

test('a limit is removed after a question, and the focus is not lost', async () => {
  await using manager = await visitAsManager(server, '/manage/excursion')
  const { page } = manager
  const form = page.getByRole('form', { name: 'Set a limit' })
  const remove = (species: string) => page.getByRole('button', { name: `Remove the limit of ${species}` })
  for (const species of ['cod', 'tuna']) {
    await form.getByLabel('Species').fill(species)
    await form.getByLabel('Above, °C').fill('2')
    await form.getByLabel('For, minutes').fill('20')
    await press(page, 'Set limit')
    await remove(species).waitFor()
  }
  await remove('cod').click()
  await page.keyboard.press('Escape')
  await remove('cod').click()
  await press(page, 'Remove')
  await page.getByText('The limit of cod is removed.').waitFor()
  await remove('cod').waitFor({ state: 'detached' })
  await eventually(() => remove('tuna').evaluate((button) => button === document.activeElement), true)
  await remove('tuna').click()
  await press(page, 'Remove')
  await remove('tuna').waitFor({ state: 'detached' })
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), 'Limits')
})

const dialogs = [
  ['/manage/slot', /^Edit \w{3} \d+ /, 'Orders it takes', '7'],
  [`/manage/box/${sampleBox}`, 'Take off sale', 'Reason', 'Warm since the landing'],
] as const

for (const [path, button, label, text] of dialogs)
  test(`what was typed into “${label}” of a dialog is not lost by Escape or a click beside it`, async () => {
    await using manager = await visitAsManager(server, path)
    const { page } = manager
    const opener = page.getByRole('button', { name: button }).first()
    const [dialog, field] = [page.getByRole('dialog'), page.getByRole('dialog').getByLabel(label)]
    await opener.click()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await opener.click()
    await field.fill(text)
    await page.mouse.click(5, 5)
    await page.keyboard.press('Escape')
    await dialog.getByText('What you typed would be lost.').waitFor()
    await press(page, 'Keep editing')
    await dialog.getByText('What you typed would be lost.').waitFor({ state: 'detached' })
    await eventually(() => field.inputValue(), text)
    await eventually(() => field.evaluate((input) => input === document.activeElement), true)
    await page.keyboard.press('Escape')
    await press(page, 'Discard what I typed')
    await dialog.waitFor({ state: 'hidden' })
    await eventually(() => opener.evaluate((element) => element === document.activeElement), true)
    await opener.click()
    assert.notEqual(await field.inputValue(), text)
    await field.fill(text)
    await page.keyboard.press('Escape')
    await dialog.getByText('What you typed would be lost.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })
