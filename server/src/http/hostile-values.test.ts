import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { z } from 'zod'
import { cheapPasswords } from '#server/testing/accounts.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testShop } from '#server/testing/shop.ts'
import type { Route } from './route.ts'

/** What somebody puts where a URL has a name, an id or a number. */
const inUrls = ['a%00b', '%0d%0aX:1', '..%2f..%2fetc', '__proto__', '99999999999999999999', '1e400', '-1']
/** What somebody puts into a field. */
const inFields = ['a\0b', null, 1e308, 2_147_483_648, 'x'.repeat(5_000), ['\0'], [{}]]

/** The names in a query or in a JSON body. */
function namesIn(schema: Route['query'] | Route['body']): string[] {
  if (!(schema instanceof z.ZodType)) return []
  const { properties } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.keys(properties ?? {})
}

const PLACES = /:\w+|\*/g
/** Ends the session that the walk goes on with. */
const SIGN_OUT = /signOut|^DELETE \/api\/user\/sessions$/

test('nothing that stands in a path, a query or a field makes an operation fail', async () => {
  await using shop = await testShop({ deps: { passwords: cheapPasswords } })
  const asked: string[] = []
  const callers = {
    ADMIN: await callerOf(shop, 'admin', 'ADMIN'),
    SUPPLIER: await callerOf(shop, 'supplier', 'SUPPLIER'),
  }
  const ask = async ({ method, access }: Route, url: string, payload?: object): Promise<void> => {
    const caller = access === 'supplier' ? callers.SUPPLIER : callers.ADMIN
    const headers = { 'idempotency-key': `${asked.length}` }
    const { statusCode, body } = await caller(method as 'GET', url, payload, headers)
    const said = `${method} ${url} ${JSON.stringify(payload)?.slice(0, 200)}: ${statusCode} ${body.slice(0, 200)}`
    assert.ok(statusCode < 500 || /"code":"unavailable"/.test(body), said)
    asked.push(said)
  }
  for (const route of shop.app.routes) {
    if (SIGN_OUT.test(`${route.method} ${route.url}`)) continue
    const isRead = route.method === 'GET' || route.method === 'OPTIONS'
    const url = route.url.replaceAll(PLACES, 'none')
    if (url !== route.url)
      for (const value of inUrls)
        await ask(route, route.url.replaceAll(PLACES, value), isRead ? undefined : {})
    for (const name of namesIn(route.query)) {
      for (const value of inUrls) await ask(route, `${url}?${name}=${value}`)
      await ask(route, `${url}?${name}=a&${name}=b`)
    }
    for (const name of namesIn(route.body))
      for (const value of inFields) await ask(route, url, { [name]: value })
  }
  assert.ok(asked.length > 1_500, `${asked.length} requests`)
})

test('NUL is refused with the path of its field, also where everything else is right', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  await admin('POST', '/api/box/registration', { boxID: 'B-1', fisher: sampleBox().fisher })
  for (const [method, url, body, path] of [
    ['PUT', '/api/box/B-1/products', [{ product_id: 'a\0b' }], '[0].product_id'],
    ['PUT', '/api/manage/excursion/limit', { species: '\0', degrees: 1, minutes: 1 }, 'species'],
    ['GET', '/api/product?category=%00', undefined, 'category'],
  ] as const) {
    const reply = await admin(method, url, body as object | undefined)
    assert.equal(reply.statusCode, 400, `${url}: ${reply.body}`)
    assert.equal(reply.json().error.fields[0].path, path)
  }
})

test('a charge that no battery has is left out, and the reading beside it counts', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const message = {
    EntityName: 'A571992',
    EntryTimeEpoch: Date.now() - 60_000,
    Temperature: { Celsius: 1.5 },
    Location: { Latitude: -33.5, Longitude: 151.5 },
  }
  for (const Percentage of [1e308, -1, 101, '81', null]) {
    const sent = await admin('POST', '/api/tracking/tive', { ...message, Battery: { Percentage } })
    assert.equal(sent.statusCode, 200, sent.body)
    assert.match(sent.json().refused[0].message, /travelled with no box/)
    assert.equal((await admin('GET', '/api/tracker')).json().rows[0].battery, null)
  }
})
