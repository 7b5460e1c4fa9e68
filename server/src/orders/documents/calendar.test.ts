import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address, buyer, moved, shopWithOrders } from '#server/testing/orders.ts'

/** A calendar file by its lines, unfolded. Source: RFC 5545 §3.1. */
function linesIn(file: string): Map<string, string> {
  assert.ok(file.endsWith('\r\n') && !/[^\r]\n/.test(file), 'every line ends with CR and LF')
  for (const line of file.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line)
  const whole = file.replaceAll('\r\n ', '').trimEnd().split('\r\n')
  return new Map(whole.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]))
}

test('the time of an order is a calendar file; a new time and a cancellation replace what an older one says', async () => {
  await using shop = await shopWithOrders()
  const { _id, link, number, slot } = await shop.placed({ snapper: 1 })
  const { search } = new URL(link)
  const file = async () => linesIn((await shop.app.inject(`/api/order/${_id}/time.ics${search}`)).body)
  const utc = (at: string | null): string => `${at?.slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  const first = await file()
  assert.deepEqual([first.get('DTSTART'), first.get('DTEND')], [utc(slot.startsAt), utc(slot.endsAt)])
  assert.match(first.get('SUMMARY') ?? '', new RegExp(`^Pick up order ${number}\\\\, BeFAQT$`))
  assert.deepEqual(
    [first.get('LOCATION'), first.get('STATUS')],
    ['Sydney Fish Market\\, Bank Street\\, Pyrmont NSW 2009', 'CONFIRMED'],
  )
  assert.equal(first.get('GEO'), '-33.8727;151.1925')
  assert.equal(first.get('URL'), link, 'which opens it without an account')

  await shop.admin('PUT', `/api/order/${_id}/slot`, { slot: await shop.newSlot({}) })
  const second = await file()
  await moved(shop, _id, 'CANCELLED', { reason: 'The fridge broke.' })
  const last = await file()
  const sequences = [first, second, last].map((one) => Number(one.get('SEQUENCE')))
  assert.deepEqual(
    sequences,
    [...sequences].sort((a, b) => a - b),
  )
  assert.equal(new Set(sequences).size, 3, 'each is newer')
  assert.equal(new Set([first, second, last].map((one) => one.get('UID'))).size, 1, 'of one event')
  assert.deepEqual([last.get('METHOD'), last.get('STATUS')], ['CANCEL', 'CANCELLED'])
  assert.equal((await shop.app.inject(`/api/order/${_id}/time.ics`)).statusCode, 404, 'as the order itself')
})

test('what was typed stays one line of text, however long', async () => {
  await using shop = await shopWithOrders()
  const street = `1 Bank St; behind the "Fish, Chips \\ Größe" ${'鱼🐟 '.repeat(30)}`.trim()
  const fulfilment = { kind: 'delivery', slot: shop.delivery, address: { ...address, street } }
  const lines = [{ product_id: 'ice', quantity: 1 }]
  const placed = await shop.place({ lines, contact: buyer, fulfilment })
  assert.equal(placed.statusCode, 201, placed.body)
  const { _id, link } = placed.json()
  const { body, headers } = await shop.app.inject(`/api/order/${_id}/time.ics${new URL(link).search}`)
  assert.equal(headers['content-type'], 'text/calendar; charset=utf-8')
  const said = linesIn(body).get('LOCATION')?.replaceAll(/\\(.)/g, '$1')
  assert.equal(said, `${street}, Pyrmont NSW 2009`)
})
