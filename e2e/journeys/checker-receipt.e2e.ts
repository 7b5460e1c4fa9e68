import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { verifierKeyText } from '@befaqt/provenance/log/note'
import { receiptLine } from '@befaqt/provenance/log/receipt'
import { newSigner, ORIGIN } from '@befaqt/provenance/testing/log'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/accessible.ts'
import { type Visit, visit } from '../support/browser.ts'
import { choosePolicy, saveChecker, verdictText } from '../support/checker.ts'
import { rewritten, routeLog, seeing, testLog } from '../support/receipts.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/within.ts'

/* A receipt of a log in the checker of one file: with the verdicts of the shop's page, and nobody asked but the log that it names. */

const LOG = `https://${ORIGIN}`
const log = testLog()
let folder: string
let file: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'befaqt-checker-'))
  file = await saveChecker(folder)
})
after(() => rm(folder, { recursive: true }))

/** The checker from the disk, where requests to this log alone are expected. */
async function opened(): Promise<Visit> {
  const at = await visit(file)
  at.expectProblem(/^request to elsewhere: https:\/\/fish\.example\/befaqt\/log\//)
  await routeLog(at.page, LOG, log)
  return at
}

async function check(page: Page, receipt: string): Promise<string> {
  await page.locator('#outcome').evaluate((place) => place.replaceChildren())
  await page.getByLabel('Its line, or its signed text').fill(receipt)
  await page.getByRole('button', { name: 'Check this receipt' }).click()
  return verdictText(page)
}

test('from the disk a receipt fits: as a line, a code and a mail; whose word the key is, is said', async () => {
  await using at = await opened()
  const { page } = at
  const note = await log.note(4)
  const line = receiptLine({ origin: ORIGIN, size: 4, root: await log.root(4) })
  for (const given of [line, note, `Dear Ann,\n> ${line.replaceAll(' ', '\n> ')}\nKind regards`]) {
    const said = await check(page, given)
    assert.match(said, /^Your receipt fits[\s\S]*4 entries, up to 24 Nov 2026/)
    assert.match(said, /read from https:\/\/fish\.example\/befaqt\/log\.[\s\S]*which is the shop’s word/)
  }
  await assertAccessible(page)
  for (const width of [360, 768, 1280])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      assert.ok(wide <= 0, `${width}: wider by ${wide}`)
      await saveScreenshot(page, `checker-receipt-${width}-${colorScheme}`)
    }
  await choosePolicy(page, `log ${verifierKeyText(log.signer.key)}\nquorum none\n`)
  await page.locator('#verdict').filter({ hasText: 'the one that your policy names' }).waitFor()
  await choosePolicy(page, `log ${verifierKeyText(newSigner(ORIGIN).key)}\nquorum none\n`)
  await page.locator('#verdict').filter({ hasText: 'The shop’s log is not signed by its key' }).waitFor()
})

test('a log that was rewritten, put back or is another’s, a slip, a changed note: each is told as by the shop’s page', async () => {
  await using at = await opened()
  const { page } = at
  const note = await log.note(7)
  const line = receiptLine({ origin: ORIGIN, size: 7, root: await log.root(7) })
  const lie = rewritten(log, 3)
  await routeLog(page, LOG, lie)
  assert.match(await check(page, note), /^Broken: the log was changed after your receipt[\s\S]*What to do/)
  await assertAccessible(page)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save this finding' }).click()
  const told = await text(await (await saved).createReadStream())
  assert.ok(told.includes(note) && told.includes(await lie.note()), 'both as they were signed')
  assert.match(await check(page, line), /^The log is not the one of your receipt/)
  await routeLog(page, LOG, log.fork(4))
  assert.match(await check(page, note), /^The log is shorter than your receipt says/)
  await routeLog(page, LOG, log)
  const slip = line.replace(/.{3}=$/, (end) =>
    end.startsWith('A') ? `B${end.slice(1)}` : `A${end.slice(1)}`,
  )
  assert.match(await check(page, slip), /^A slip in the line, most likely/)
  assert.match(await check(page, note.replace('\n7\n', '\n8\n')), /^This is not what the log signed/)

  await page.getByLabel('Where the log is read').fill('fish.example')
  assert.match(await check(page, line), /^Your receipt fits/)
  const other = line.replace(ORIGIN, 'other.example/befaqt/log')
  await page.getByLabel('Where the log is read').fill(LOG)
  assert.match(await check(page, other), /^This receipt is of another log/)
  await page.getByLabel('Where the log is read').fill('http://fish.example')
  await page.getByRole('button', { name: 'Check this receipt' }).click()
  await page.getByText('Name the https address of the log').waitFor()
  for (const [given, words] of [
    ['befaqt1 fish.example/befaqt/log 7 AAAA', 'has to be 44 characters'],
    ['Dear Ann', 'Its line begins with “befaqt1”.'],
  ] as const) {
    await page.getByLabel('Its line, or its signed text').fill(given)
    await page.getByRole('button', { name: 'Check this receipt' }).click()
    await page.locator('#problem').filter({ hasText: words }).waitFor()
  }
})

test('a log that can’t be read, shows none, or shows what is none', async () => {
  await using at = await opened()
  at.expectProblem(/ERR_FAILED|Failed to load|404/)
  const { page } = at
  const note = await log.note(7)
  const says = async (words: string) => {
    await page.getByLabel('Its line, or its signed text').fill(note)
    await page.getByRole('button', { name: 'Check this receipt' }).click()
    await page.locator('#problem').filter({ hasText: words }).waitFor()
  }
  await routeLog(page, LOG, log.fork(0))
  await says('The shop shows no log now.')
  await page.unroute(`${LOG}/**`)
  await page.route(`${LOG}/**`, (route) =>
    route.fulfill({ headers: { 'access-control-allow-origin': '*' }, body: '<!doctype html>' }),
  )
  await says('What the shop shows as the state of its log is none.')
  await page.unroute(`${LOG}/**`)
  await page.route(`${LOG}/**`, (route) => route.abort())
  await says('fish.example could not be read')
})

test('from the shop: its own receipt, whose code the camera reads, wherever one scans it', async () => {
  await using server = await startServer()
  let given = ''
  await until(180, 'the log is signed', async () => {
    const answer = await fetch(`${server.url}/befaqt/log/receipt.txt`)
    given = await answer.text()
    return answer.status === 200
  })
  await using at = await visit(`${server.url}/SFMBox/check`)
  at.expectProblem(/404/)
  const { page } = at
  await page.addInitScript(seeing(given.slice(given.indexOf('\n\n') + 2)))
  for (const button of ['Read its code by camera', 'Read the label by camera']) {
    await page.goto(`${server.url}/check.html`)
    await page.getByRole('button', { name: button }).click()
    const check = page.getByRole('button', { name: 'Check this receipt' })
    await check.and(page.locator(':focus')).waitFor()
    // A shop keeps the name of its log from its first start, which may have been at another port.
    await page.getByLabel('Where the log is read').fill(`${server.url}/befaqt/log`)
    await check.press('Enter')
    assert.match(await verdictText(page), /^Your receipt fits/)
  }
})
