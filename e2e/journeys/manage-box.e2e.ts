import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { assertAccessible } from '../support/accessible.ts'
import { boxPath, sampleBox, waitUntilAnchored } from '../support/box-page.ts'
import { pauseRequests, untilHydrated } from '../support/browser.ts'
import { assertAccessibleAcross, visitAsManager } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

const boxID = 'MB-0001'
const fisher = { traderName: 'Sample Fisher', companyName: '', boat: 'Gannet', address: '' }
/** In the past in every time zone. */
const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)

/** Waits until the map answers clicks and keys: its container stands before the coast is there. */
async function mapLoaded(map: Locator): Promise<void> {
  await map.scrollIntoViewIfNeeded()
  await map.locator('.leaflet-container').waitFor()
  await map.getByText('Loading the map').waitFor({ state: 'detached' })
}

test('a box from registration to seal: catch on the map, product, label, correction', async () => {
  await using at = await visitAsManager(server, '/manage/box')
  at.expectProblem(/status of 409/)
  const { page } = at
  await page.getByRole('heading', { name: 'Register a Box' }).click()
  const register = page.getByRole('form', { name: 'Register a Box' })
  await register.getByLabel('Box id').fill('../etc')
  await register.getByRole('button', { name: 'Register box' }).click()
  await register.getByText(/must be 1 to 64 letters/).waitFor()
  await register.getByLabel('Box id').fill(boxID)
  await register.getByLabel('Trader id').fill('SAMPLE-77')
  await register.getByLabel('Fisher’s name').fill('Sample Fisher')
  await register.getByLabel('Boat').fill('Gannet')
  await register.getByRole('button', { name: 'Register box' }).click()
  await page.getByRole('heading', { level: 1, name: `Box ${boxID}` }).waitFor()

  const caught = page.getByRole('form', { name: 'Add the catch' })
  await eventually(() => caught.getByLabel('Boat').inputValue(), 'Gannet')
  await caught.getByLabel('Species').fill('Snaper')
  await caught.getByLabel('Caught at').fill(`${twoDaysAgo}T05:40`)
  await caught.getByLabel('Method').fill('line')
  await caught.getByLabel('Size').fill('45 cm')
  const map = caught.getByRole('region', { name: 'Map to pick the place of the catch' })
  await mapLoaded(map)
  await map.click({ position: { x: 500, y: 150 } })
  assert.match(await caught.getByLabel('Latitude').inputValue(), /^-3\d\.\d+$/)
  assert.match(await caught.getByLabel('Longitude').inputValue(), /^15\d\.\d+$/)
  await assertAccessible(page)
  await saveScreenshot(page, 'manage-box-catch')
  await caught.getByRole('button', { name: 'Add catch' }).click()
  await page.getByText('The catch is recorded.').waitFor()
  await caught.waitFor({ state: 'detached' })

  await page.getByLabel('Find a product').fill('snapper')
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await page.getByRole('button', { name: 'Add Snapper, whole' }).click()
  const quantity = page.getByLabel('Quantity of Snapper, whole')
  await quantity.fill('12')
  await page.reload()
  await quantity.waitFor()
  await eventually(() => quantity.inputValue(), '12')
  await untilHydrated(page)
  await page.getByRole('button', { name: 'Save links' }).click()
  await page.getByText('Links saved.').waitFor()

  await page.getByRole('button', { name: 'Correct record 2' }).click()
  const correction = page.getByRole('form', { name: 'Correct record 2' })
  await correction.getByLabel('Species').fill('Snapper')
  await correction.getByRole('button', { name: 'Add correction' }).click()
  await correction.getByText('reason is required').waitFor()
  await correction.getByLabel('Reason').fill('A letter was missing.')
  await correction.getByRole('button', { name: 'Add correction' }).click()
  await page.getByText('The correction is recorded.').waitFor()
  await page.getByText('Because: A letter was missing.', { exact: false }).waitFor()
  await page.getByText('of record 2', { exact: false }).waitFor()
  const weight = page.getByRole('form', { name: 'Weigh the box' })
  await weight.getByLabel('Net weight').fill('some')
  await weight.getByRole('button', { name: 'Record the weight' }).click()
  await weight.getByText('must be whole grams').waitFor()
  await weight.getByLabel('Net weight').fill('41 kg')
  await weight.getByRole('button', { name: 'Record the weight' }).click()
  await page.getByText('The weight is recorded.').waitFor()
  await eventually(() => weight.getByLabel('Net weight').inputValue(), '')
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-box-one')

  const offers = async () => {
    const { records } = await (await page.request.get(`/api/box/${boxID}/proof`)).json()
    const found = records.filter(({ kind }: { kind: string }) => kind === 'offer')
    return found.map(({ data }: { data: { linked: boolean } }) => data.linked).join()
  }
  await eventually(offers, 'true', 'what is on sale from it is recorded')

  const label = await page.request.get(`/api/box/${boxID}/label.svg`)
  assert.equal(label.status(), 200)
  assert.match(await label.text(), /<svg.*MB-0001/s)

  await page.getByRole('button', { name: 'Seal this box' }).click()
  const ask = page.getByRole('dialog').filter({ hasText: `Seal ${boxID}?` })
  await ask.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Seal this box' }).click()
  await ask.getByRole('button', { name: 'Seal it for good' }).click()
  await page.getByText('Sealed.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Seal this box' }).waitFor({ state: 'detached' })
  await eventually(() => page.getByRole('button', { name: /^Correct record/ }).count(), 0)

  assert.equal(await offers(), 'true,false', 'a sealed box has nothing on sale')

  await waitUntilAnchored(page, boxID)
  await page.goto(boxPath(boxID))
  await page.getByText('Snapper').first().waitFor()
  await page.getByText('Sold 0.0 of 41.0 kg; 41.0 kg left.', { exact: false }).waitFor()
  await saveScreenshot(page, 'box-weighed')
})

test('the position of a catch is picked with the keyboard alone', async () => {
  const registered = await server.call('/api/box/registration', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ boxID: 'MB-0002', fisher: { ...fisher, traderID: 'SAMPLE-77' } }),
  })
  assert.equal(registered.status, 201, await registered.text())
  await using at = await visitAsManager(server, '/manage/box/MB-0002')
  const { page } = at
  const caught = page.getByRole('form', { name: 'Add the catch' })
  const map = caught.getByRole('region', { name: 'Map to pick the place of the catch' })
  const place = async () => [
    await caught.getByLabel('Latitude').inputValue(),
    await caught.getByLabel('Longitude').inputValue(),
  ]
  await mapLoaded(map)
  await map.locator('.leaflet-container').focus()
  await page.keyboard.press('Enter')
  await map.locator('.leaflet-marker-icon.border-coral').waitFor()
  assert.deepEqual(await place(), ['-31.5', '153'])
  await page.reload()
  await mapLoaded(map)
  await map.locator('.leaflet-marker-icon.border-coral').waitFor()
  assert.deepEqual(await place(), ['-31.5', '153'], 'what was picked outlives a reload')
  await map.locator('.leaflet-container').focus()
  await page.keyboard.press('ArrowLeft')
  const shifted = map.locator('.leaflet-map-pane:not(.leaflet-pan-anim)[style*="80px"]')
  await shifted.waitFor({ state: 'attached' })
  await page.keyboard.press('Enter')
  await page.waitForFunction(
    (field) => field instanceof HTMLInputElement && field.value !== '153',
    await caught.getByLabel('Longitude').elementHandle(),
  )
  const [latitude, longitude] = (await place()).map(Number)
  const degreesOf80px = (80 * 360) / (256 * 2 ** 7)
  assert.ok(Math.abs(153 - degreesOf80px - (longitude ?? 0)) < 0.02, `${longitude} is 80 px west`)
  assert.ok(Math.abs(-31.5 - (latitude ?? 0)) < 0.02, `${latitude} is as far south`)
})

test('boxes are found by words and stage, and words typed while the list is loading stay', async () => {
  await using at = await visitAsManager(server, '/manage/box')
  const { page } = at
  const boxes = page.getByRole('table', { name: 'Boxes', exact: true })
  const linkTo = (id: string) => boxes.getByRole('link', { name: id, exact: true })
  const search = page.getByLabel('Search boxes')
  const resumeRequests = await pauseRequests(page, /\/api\/manage\/box\?.*stage=sealed/)
  await page.getByLabel('State').selectOption('sealed')
  await search.fill('no such box')
  resumeRequests()
  await page.waitForURL(/stage=sealed/)
  await linkTo(sampleBox).waitFor({ state: 'detached' })
  await linkTo(boxID).waitFor()
  await eventually(() => search.inputValue(), 'no such box')
  await search.press('Enter')
  await page.getByText('No boxes match.').waitFor()
  await page.getByRole('region', { name: 'Ledger' }).getByText('online').waitFor()
})

test('a box that exists already is refused with the reason', async () => {
  await using at = await visitAsManager(server, '/manage/box')
  at.expectProblem(/status of 409/)
  const { page } = at
  await page.getByRole('heading', { name: 'Register a Box' }).click()
  const form = page.getByRole('form', { name: 'Register a Box' })
  await form.getByLabel('Box id').fill(sampleBox)
  await form.getByLabel('Trader id').fill('SAMPLE-77')
  await form.getByRole('button', { name: 'Register box' }).click()
  await form.getByText(`Error: There is a box ${sampleBox} already`).waitFor()
})

test('staff see how the fish of a box is, and its peak with the time; off sale nothing is said of its freshness', async () => {
  await using at = await visitAsManager(server, `/manage/box/${sampleBox}`)
  const { page } = at
  const fact = (label: string) => page.locator('dl > div', { hasText: label }).locator('dd')
  const freshness = fact('Freshness, as buyers read it')
  await freshness.getByRole('img', { name: /of 5 stars/ }).waitFor()
  const sent = await (await page.request.get(page.url())).text()
  assert.match(sent, /Warmest/)
  assert.doesNotMatch(sent, /recordHash/, 'the history, which is read beside the page, is not sent with it')
  assert.match((await fact('Warmest').textContent()) ?? '', /^\d+\.?\d* °C, \w{3} \d+ \w{3}, \d+:\d\d [ap]m$/)
  const slider = page.getByRole('slider', { name: 'Reading along the journey' })
  await untilHydrated(page)
  await slider.press('End')
  await page.getByText(/^reading (\d+) of \1$/).waitFor()
  await page.getByRole('button', { name: 'Take off sale' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('to be looked at')
  await dialog.getByRole('button', { name: 'Take off sale' }).click()
  await freshness.getByText('Nothing is said of it while it is not for sale.').waitFor()
  assert.equal(await fact('Best by').count(), 0)
  assert.equal(await slider.count(), 1, 'what was measured stays')
})
