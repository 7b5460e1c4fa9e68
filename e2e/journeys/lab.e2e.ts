import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessibleEverywhere } from '../support/accessible.ts'
import { sampleBox, UNCHANGED, waitUntilAnchored } from '../support/box-page.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { desktop } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

before(async () => {
  await using at = await visit(server.url)
  await waitUntilAnchored(at.page, sampleBox)
})

const verdict = (page: Page) => page.getByRole('region', { name: 'Verdict' })
const attack = (page: Page, title: string) => page.getByRole('button', { name: title, exact: true })
const checks = (page: Page) => page.getByRole('region', { name: 'The checks, one by one' })
const notice = (page: Page) => page.getByRole('region', { name: 'Who would notice' })

/** The lab with a copy of the box on its bench. */
async function openLab(page: Page, path = '/lab'): Promise<void> {
  await page.goto(path)
  await verdict(page).getByText(UNCHANGED).waitFor()
}

/** What the verdict is called once all that was pressed is checked. */
async function title(page: Page): Promise<string> {
  await page.locator('[aria-busy=false] [data-verdict]').waitFor()
  return (await verdict(page).locator('b').innerText()).replace(/\.$/, '')
}

test('three attacks on the sample box are named with check, record and reason, and taken back, with the keyboard', async () => {
  await using at = await visit(server.url, desktop)
  const { page } = at
  await page.goto('/SFMBox/check')
  await untilHydrated(page)
  await page.getByRole('link', { name: 'Try to cheat the check in the tamper lab' }).click()
  await page.getByRole('heading', { level: 1, name: 'Tamper lab' }).waitFor()
  await verdict(page).getByText(UNCHANGED).waitFor()
  assert.equal(await page.title(), 'Tamper lab · BeFAQT')

  await attack(page, 'Make a warm reading cold').press('Enter')
  await verdict(page).getByText('Altered.').waitFor()
  await verdict(page)
    .getByText(/Record \d+ was changed after it was anchored/)
    .waitFor()
  await checks(page)
    .getByText(/^3\. Fingerprints lead to the anchored heads and roots$/)
    .waitFor()
  await eventually(() => checks(page).getByText(': failed', { exact: true }).count(), 1)
  const did = page.getByRole('region', { name: 'What you did' })
  await did.getByText(/^Record \d+, tracking$/).waitFor()
  await eventually(() => did.getByText('hash it should have').count(), 1)
  await notice(page).getByText('A buyer’s receipt of the log').waitFor()

  await attack(page, 'Name a dearer fish on the page').press('Space')
  await did.getByText('Southern bluefin tuna').waitFor()
  await attack(page, 'Have a node lie').click()
  await eventually(() => checks(page).getByText(': failed', { exact: true }).count(), 2)
  await page.getByText('after 3 attacks').waitFor({ state: 'attached' })
  await saveScreenshot(page, 'lab-three-attacks')

  await did.getByRole('button', { name: 'Undo: Make a warm reading cold' }).click()
  await eventually(() => attack(page, 'Make a warm reading cold').getAttribute('aria-pressed'), 'false')
  await attack(page, 'Have a node lie').click()
  await verdict(page).getByText('Doesn’t match.').waitFor()
  await did.getByRole('button', { name: 'Undo it' }).click()
  await verdict(page).getByText(UNCHANGED).waitFor()
  await eventually(() => did.count(), 0)
})

test('no attack on a real proof is accepted but the two that say so; the shop is asked nothing, and keeps what it has', async () => {
  await using at = await visit(server.url, desktop)
  const { page } = at
  const proof = async () => (await fetch(`${server.url}/api/box/${sampleBox}/proof`)).text()
  const { records } = JSON.parse(await proof())
  await openLab(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`))
  const all = page.locator('main button[aria-pressed]')
  const found: string[] = []
  for (const one of await all.all()) {
    if (await one.isDisabled()) continue
    await one.click()
    await page.getByText('after 1 attack').waitFor({ state: 'attached' })
    found.push(`${await one.innerText()}: ${await title(page)}`)
    await one.click()
    await page.getByText('Nothing was tampered with yet.').waitFor()
    assert.equal(await title(page), UNCHANGED)
  }
  assert.ok(found.length >= 12, found.join('\n'))
  const accepted = found.filter((line) => line.endsWith(UNCHANGED)).map((line) => line.split(':')[0])
  assert.deepEqual(accepted, ['Rewrite it, and own the node too', 'Lie while recording'])
  assert.deepEqual(asked, [])
  assert.deepEqual(JSON.parse(await proof()).records, records)
})

test('a rewriting that the shop’s own node agrees to is seen by everybody but a first visitor', async () => {
  await using at = await visit(server.url, desktop)
  const { page } = at
  await openLab(page)
  await attack(page, 'Rewrite it, and own the node too').click()
  await notice(page).getByText('does not notice.').waitFor()
  await eventually(() => notice(page).getByText('does not notice.').count(), 1)
  await attack(page, 'Rewrite it, and own the node too').click()
  await attack(page, 'Lie while recording').click()
  await eventually(
    () =>
      notice(page)
        .getByText(/does not notice/)
        .count(),
    5,
  )
})

test('without a network the bench goes on; a box that is not there and one that was not fetched are said', async () => {
  await using at = await visit(server.url)
  at.expectProblem(/404|ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to (load|fetch)/)
  const { page, context } = at
  await openLab(page)
  await context.setOffline(true)
  await page.getByText('You are offline, and that does not matter').waitFor()
  await attack(page, 'Rewrite it all, with every hash').click()
  await verdict(page).getByText('Altered.').waitFor()
  await context.setOffline(false)

  await page.getByLabel('Try it on another box').fill('9999999999')
  await page.getByRole('button', { name: 'Put it on the bench' }).click()
  await page.getByText('The shop has no box 9999999999.').waitFor()
  await page.getByLabel('Try it on another box').fill('two words')
  await page.getByRole('button', { name: 'Put it on the bench' }).click()
  await page.getByText('That is no number of a box').waitFor()
  await verdict(page).getByText(UNCHANGED).waitFor()

  await page.route('**/api/box/**', (route) => route.abort())
  await page.reload()
  await page.getByText('The box could not be fetched.').waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await verdict(page).getByText(UNCHANGED).waitFor()
})

test('the lab is accessible and fits on phone, tablet and desktop, in light and dark, and is on paper without its buttons', async () => {
  await using at = await visit(server.url)
  const { page } = at
  await openLab(page)
  await attack(page, 'Swap two records').click()
  await attack(page, 'Forge the root of an anchor').click()
  await page.getByText('after 2 attacks').waitFor({ state: 'attached' })
  await assertAccessibleEverywhere(page)
  await page.emulateMedia({ media: 'print' })
  assert.equal(await attack(page, 'Swap two records').isVisible(), false)
  assert.equal(await checks(page).isVisible(), true)
})
