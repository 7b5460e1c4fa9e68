import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { before, test } from 'node:test'
import { findReceipt, receiptLine } from '@befaqt/provenance/log/receipt'
import type { TestLog } from '@befaqt/provenance/testing/log'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/accessible.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { rewritten, routeLog, seeing, testLog } from '../support/receipts.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { until } from '../support/within.ts'

/* A buyer holds a receipt against the shop's log of today, and a browser what it saw of it before. */

const CHECK = '/SFMBox/check'
const server = await startForFile(startServer())
/** The receipt that the shop gives now. */
let given: string
before(() =>
  until(180, 'the log is signed', async () => {
    const answer = await fetch(`${server.url}/befaqt/log/receipt.txt`)
    given = await answer.text()
    return answer.status === 200
  }),
)

const log = testLog()

/** Shows this browser another log in place of the shop's. */
const shows = (page: Page, shown: TestLog): Promise<void> => routeLog(page, '**/befaqt/log', shown)

const region = (page: Page) => page.locator('section').filter({ hasText: 'By a receipt' })

async function check(page: Page, receipt: string): Promise<void> {
  await untilHydrated(page)
  const field = page.getByLabel('Line or signed text of the receipt')
  await field.fill(receipt)
  await page.getByRole('button', { name: 'Check the receipt' }).click()
}

test('the receipt of the shop fits, pasted with all that stood around it, and as its line alone', async () => {
  await using at = await visit(server.url + CHECK)
  const { page } = at
  const finding = region(page).getByRole('status').filter({ hasText: 'Your receipt fits.' })
  await check(page, `Dear Ann,\n> ${given.replaceAll('\n', '\n> ')}\nKind regards`)
  await finding.waitFor()
  assert.match(await finding.innerText(), /is still in it, unchanged\./)
  await assertAccessible(page)
  await saveScreenshot(page, 'check-a-receipt')
  await page.reload()
  await region(page).getByText('All of it is still there.').waitFor()
  await check(page, receiptLine(findReceipt(given).checkpoint))
  await finding.waitFor()
})

test('a log that was rewritten, put back or signed by nobody, another shop’s, a slip, and no receipt: each is told', async () => {
  await using at = await visit(server.url + CHECK)
  const { page } = at
  await shows(page, log)
  const says = (words: string | RegExp) => region(page).getByText(words).first().waitFor()
  const note = await log.note(7)
  const line = receiptLine({ origin: log.signer.key.name, size: 7, root: await log.root(7) })
  await check(page, note)
  await says('Your receipt fits.')

  const lie = rewritten(log, 3)
  await shows(page, lie)
  await check(page, note)
  await says('Broken: the log was changed after your receipt.')
  await assertAccessible(page)
  await saveScreenshot(page, 'check-a-broken-receipt')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save this finding' }).click()
  const told = await text(await (await saved).createReadStream())
  assert.ok(told.includes(note) && told.includes(await lie.note()), 'both as they were signed')
  await check(page, line)
  await says('The log is not the one of your receipt.')

  await shows(page, log.fork(4))
  await check(page, note)
  await says('The log is shorter than your receipt says.')

  await shows(page, log)
  await check(
    page,
    line.replace(/.{3}=$/, (end) => (end.startsWith('A') ? `B${end.slice(1)}` : `A${end.slice(1)}`)),
  )
  await says('A slip in the line, most likely.')
  await says(line)
  await check(page, note.replace('\n7\n', '\n8\n'))
  await says('This is not what the log signed.')
  await check(page, given)
  await says('This receipt is of another log.')
  await check(page, 'befaqt1 fish.example/befaqt/log 7 AAAA')
  await says(/has to be 44 characters/)
  await check(page, 'Dear Ann')
  await says('Its line begins with “befaqt1”.')
})

test('a receipt of a log that was ended is checked against what that signed, and says so', async () => {
  await using at = await visit(server.url + CHECK)
  const { page } = at
  const next = `${log.signer.key.name}/2`
  await routeLog(page, '**/befaqt/log', log, next)
  await check(page, await log.note(7))
  await region(page).getByText(`Nothing is added to this log any more: the shop began ${next}.`).waitFor()
  await routeLog(page, '**/befaqt/log', log.fork(4), next)
  await check(page, await log.note(7))
  await region(page).getByText(`it ended this log, and began ${next}.`).waitFor()
})

test('what this browser saw is held against the log of now at the next visit, until it is forgotten', async () => {
  await using at = await visit(server.url + CHECK)
  const { page } = at
  await shows(page, log)
  await page.reload()
  await until(60, 'the state is kept', () => page.evaluate(() => caches.has('befaqt-log')))
  await page.reload()
  await region(page).getByText('All of it is still there.').waitFor()
  await shows(page, rewritten(log, 5))
  await page.reload()
  await region(page).getByText('Broken: the log was changed after your receipt.').waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Forget what this browser saw' }).click()
  await until(
    60,
    'it is forgotten',
    async () =>
      (await region(page)
        .getByText(/Broken/)
        .count()) === 0,
  )
})

test('offline, and in a browser that can check no signatures', async () => {
  await using at = await visit(server.url + CHECK)
  at.expectProblem(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load/)
  const { page, context } = at
  await shows(page, log)
  await page.addInitScript(() => Reflect.defineProperty(window, 'crypto', { value: {} }))
  await page.reload()
  await check(page, await log.note(7))
  await region(page).getByText('Your receipt fits.').waitFor()
  await shows(page, rewritten(log, 3))
  await check(page, await log.note(7))
  await region(page).getByText('could not be checked here, so it may also have been made up').waitFor()

  await page.unroute('**/befaqt/log/**')
  await context.setOffline(true)
  await check(page, await log.note(7))
  await region(page).getByText('The shop could not be reached.').waitFor()
})

test('the code of a receipt is read by the camera, wherever on the page one scans it', async () => {
  await using at = await visit(server.url)
  const { page } = at
  await page.addInitScript(seeing(given.slice(given.indexOf('\n\n') + 2)))
  for (const button of ['Scan its code', 'Scan with the camera']) {
    await page.goto(CHECK)
    await untilHydrated(page)
    await page.getByRole('button', { name: button }).click()
    await region(page).getByText('Your receipt fits.').waitFor()
  }
})

test('the checker that the shop serves is shown with its hash and its place in the log of builds', async () => {
  const hash = (await (await fetch(`${server.url}/check.html.sha256.txt`)).text()).slice(0, 64)
  await until(180, 'it is in the log', async () => {
    const { checker } = await (await fetch(`${server.url}/api/build`)).json()
    return checker?.hash === hash && checker.index !== null
  })
  await using at = await visit(server.url + CHECK)
  await at.page.getByText(`Its SHA-256 is ${hash}. It is entry 1 of 2 in our log of builds`).waitFor()
  await assertAccessible(at.page)
  await saveScreenshot(at.page, 'check-a-checker')
})

test('without JavaScript no check of receipts is offered', async () => {
  await using at = await visit(server.url + CHECK, { javaScriptEnabled: false })
  assert.equal(await region(at.page).isVisible(), false)
})
