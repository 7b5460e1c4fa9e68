import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessibleEverywhere } from '../support/accessible.ts'
import { ann } from '../support/account.ts'
import { registerOnlyBox } from '../support/boxes.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { assertAccessibleAcross, press, rowsOf, visitAsManager } from '../support/manager.ts'
import { callJson, orderByApi } from '../support/order.ts'
import { noisePicture, programNamed } from '../support/pictures.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startForFile, startWithMailbox } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const FISH = 'Snapper, whole'
const BOX = 'CO-0001'

const { server, mailbox } = await startForFile(startWithMailbox())

test('a buyer shows what is wrong on a phone, also after the line was cut; the shop looks at the box, answers, and the buyer replies', async () => {
  await registerOnlyBox(server, BOX, FISH)
  const order = await orderByApi(server, FISH, 1)
  const lines = [{ position: 1, grams: 1_000, boxes: [{ boxID: BOX, amount: 1_000 }] }]
  await callJson(server, 'PUT', `/api/order/${order._id}/packing`, { lines })
  await callJson(server, 'PATCH', `/api/order/${order._id}`, { status: 'PACKED' })
  await callJson(server, 'PATCH', `/api/order/${order._id}`, { status: 'READY' })

  await using at = await visit(order.link, { viewport: { width: 360, height: 740 }, hasTouch: true })
  at.expectProblem(/ERR_FAILED|400|complaint/)
  const { page } = at
  await untilHydrated(page)
  await press(page, 'Say what is wrong')
  const form = page.getByRole('form', { name: 'Say what is wrong' })
  await form.waitFor()
  await press(page, 'Send')
  await form.getByText('say what is wrong', { exact: true }).waitFor()
  await form.getByText('say it in a few words').waitFor()
  await form.getByRole('checkbox', { name: FISH }).check()
  await form.getByRole('checkbox', { name: 'It is not fresh' }).check()
  await form.getByText('Please don’t eat any more of it.').waitFor()
  await form.getByLabel('In your words').fill('It smells of ammonia.')
  await form.getByText('Take a photo').waitFor()
  await form.getByLabel('Choose photos').setInputFiles([noisePicture('one.png', 60), programNamed('two.png')])
  await form.getByLabel('Choose photos').setInputFiles({
    name: 'note.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('no picture'),
  })
  await form.getByText('note.txt is not a JPEG').waitFor()
  await press(page, 'Send')
  await form.getByText('is not a JPEG, PNG, WebP or AVIF picture', { exact: false }).last().waitFor()
  await form.getByText('What you wrote and chose is still here.').waitFor()
  await press(page, 'Remove photo 2, two.png')
  await assertAccessibleEverywhere(page)
  await saveScreenshot(page, 'complaint-form')

  await page.route('**/complaint?*', (route) => route.abort())
  await press(page, 'Send')
  await form.getByText('What you wrote and chose is still here.').waitFor()
  await form.getByText('one.png').waitFor()
  await page.unrouteAll()
  await page.reload()
  await untilHydrated(page)
  await press(page, 'Say what is wrong')
  await eventually(() => form.getByLabel('In your words').inputValue(), 'It smells of ammonia.')
  await form.getByLabel('Choose photos').setInputFiles([noisePicture('one.png', 60)])
  await press(page, 'Send')
  await page.getByText('waits for an answer').waitFor()
  const picture = page.getByRole('img', { name: '1 of 1 of this order, opens it larger' })
  await picture.scrollIntoViewIfNeeded()
  await eventually(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth > 0), true)
  await assertAccessibleEverywhere(page)
  await saveScreenshot(page, 'complaint-sent')
  const received = await mailbox.waitForMail(ann.email, /^We have your message about order/)
  assert.doesNotMatch(received.text ?? '', /ammonia/)

  await using desk = await visitAsManager(server, '/manage')
  const { page: manager } = desk
  await manager.getByText(/^1 complaint says that fish is not fresh/).click()
  const row = rowsOf(manager, 'Complaints').filter({ hasText: order.number })
  await row.getByText(`look at ${BOX}`).waitFor()
  await assertAccessibleAcross(manager)
  await saveScreenshot(manager, 'manage-complaint')
  await row.getByRole('link', { name: /^Answer/ }).click()
  await manager.getByText('Others may eat from the same box: look at it now.').waitFor()
  await assertAccessibleAcross(manager)
  await saveScreenshot(manager, 'manage-order-complaint')
  await manager.getByRole('link', { name: /^Box CO-0001: history/ }).click()
  await manager.getByRole('heading', { name: 'Complaints' }).waitFor()
  await manager.goBack()
  await untilHydrated(manager)
  await press(manager, 'Say what you found')
  const dialog = manager.getByRole('dialog')
  await dialog.getByLabel('What did you find?').fill('The ice had melted.')
  await dialog.getByRole('button', { name: 'Say what you found' }).click()
  await manager.getByText('The ice had melted.').waitFor()
  await press(manager, 'Answer')
  await dialog.getByLabel('Answer').fill('We are sorry.')
  await dialog.getByLabel(/^Money back/).fill('10000')
  await dialog.getByRole('button', { name: 'Answer' }).click()
  desk.expectProblem(/400/)
  await dialog.getByText(/^must be at most/).waitFor()
  await dialog.getByLabel(/^Money back/).fill('12.50')
  await dialog.getByRole('button', { name: 'Answer' }).click()
  await manager.getByText('$12.50 promised, not given back yet').waitFor()
  const answered = await mailbox.waitForMail(ann.email, /^Our answer about order/)
  assert.match(answered.text ?? '', /We are sorry\.[\s\S]*\$12\.50/)

  await page.reload()
  await untilHydrated(page)
  await page.getByText('$12.50 promised, not given back yet').waitFor()
  await press(page, 'That is not enough')
  await page.getByLabel('What is still wrong?').fill('All of it smelt.')
  await press(page, 'Send')
  await page.getByText('waits for an answer').waitFor()
  await press(page, 'Take it back')
  await page.getByText('taken back').waitFor()
  await page.getByRole('button', { name: 'Say it again after all' }).waitFor()
})
