import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { purge } from '#server/db/retention.ts'
import { users } from '#server/db/schema/accounts.ts'
import { products, stockNotices } from '#server/db/schema/shop.ts'
import { retentions } from '#server/retention.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { confirm, kinds, noticeShop, setStock, stopOf, tokenOf } from '#server/testing/notices.ts'

for (const [name, open] of testDatabases) {
  test(`${name}: the answer does not say whether an address waits already, and the emails say nothing that was typed`, async () => {
    await using shop = await noticeShop(open)
    await shop.waitFor('ann@example.org')
    const again = await shop.ask({ email: 'ANN@example.org', product_id: 'snapper', name: 'Mallory' })
    const fresh = await shop.ask({ email: 'bea+mallory@example.org', product_id: 'snapper', note: 'Mallory' })
    assert.deepEqual([again.statusCode, again.body], [fresh.statusCode, fresh.body])
    const mails = await shop.post()
    assert.deepEqual(kinds(mails), ['stock-waiting ANN@example.org', 'stock-confirm bea+mallory@example.org'])
    for (const { text, html, subject } of mails) assert.doesNotMatch(text + html + subject, /mallory/i)
    assert.equal(await shop.deps.db.$count(stockNotices), 2)
    const { waiting } = (await shop.admin('GET', '/api/product/snapper/manage')).json()
    assert.equal(waiting, 1, 'managers see how many wait, of those who confirmed')
    for (const bad of [
      { email: 'ann@example.org' },
      { email: 'ann@example.org', product_id: 'snapper', species: 'snapper' },
      { email: 'ann@example.org\nBcc: x@example.org', product_id: 'snapper' },
      { email: 'ann@example.org', species: '<b>fish</b>' },
    ])
      assert.equal((await shop.ask(bad)).statusCode, 400, JSON.stringify(bad))
    assert.equal((await shop.ask({ email: 'ann@example.org', product_id: 'gone' })).statusCode, 404)
    await setStock(shop, 5)
    const there = await shop.ask({ email: 'ann@example.org', product_id: 'snapper' })
    assert.equal(there.statusCode, 409, 'it can be bought')
  })

  test(`${name}: one press stops all of an address, by a page or a mail program; opening the link stops nothing`, async () => {
    await using shop = await noticeShop(open)
    const mail = await shop.waitFor('ann@example.org')
    await shop.waitFor('ann@example.org', { product_id: 'ice' })
    await shop.waitFor('bea@example.org')
    await setStock(shop, 5)
    await shop.look()
    const url = stopOf(mail)
    for (const method of ['GET', 'HEAD'] as const) await shop.app.inject({ method, url })
    assert.equal(await shop.waits(), 3)
    const pressed = await shop.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
      payload: 'List-Unsubscribe=One-Click',
    })
    assert.equal(pressed.statusCode, 200, pressed.body)
    assert.deepEqual(
      kinds(await shop.post()),
      ['stock-back bea@example.org'],
      'what was queued is not sent either',
    )
    assert.equal(await shop.deps.db.$count(stockNotices), 0)
    const multipart = {
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    }
    for (const more of [{}, multipart, { url: url.replace('user', 'api') }]) {
      const reply = await shop.app.inject({ method: 'POST', url, ...more })
      assert.deepEqual([reply.statusCode, reply.body], [200, pressed.body])
    }
  })

  test(`${name}: an account’s own confirmed address needs no email; another address, or one that nobody confirmed, does`, async () => {
    await using shop = await noticeShop(open)
    const ben = await callerOf(shop, 'ben', 'USER')
    const askBy = (email: string) => ben('POST', '/api/notice', { email, product_id: 'snapper' })
    assert.equal((await askBy('ben@example.org')).statusCode, 202)
    assert.deepEqual(kinds(await shop.post()), ['stock-confirm ben@example.org'], 'never activated')
    await shop.deps.db.update(users).set({ activatedAt: new Date() }).where(eq(users.id, 'ben'))
    assert.equal((await askBy('eve@example.org')).statusCode, 202)
    assert.deepEqual(kinds(await shop.post()), ['stock-confirm eve@example.org'])
    assert.equal((await askBy('ben@example.org')).statusCode, 202)
    assert.equal((await askBy('Ben@example.org')).statusCode, 202)
    assert.deepEqual(await shop.post(), [])
    assert.equal(await shop.waits(), 1)
    await shop.waitFor('ben@example.org', { product_id: 'ice' }) // without the account

    await shop.deps.db.update(users).set({ status: 'DISABLED' }).where(eq(users.id, 'ben'))
    const gone = await shop.admin('DELETE', '/api/user/ben')
    assert.ok(gone.statusCode < 300, gone.body)
    const left = await shop.deps.db.select({ email: stockNotices.email }).from(stockNotices)
    assert.deepEqual(left, [{ email: 'eve@example.org' }], 'they go with the account')
  })

  test(`${name}: a kind of seafood lands when something called so can be bought`, async () => {
    await using shop = await noticeShop(open)
    await shop.waitFor('ann@example.org', { species: 'oyster' })
    await setStock(shop, 5)
    await shop.look()
    assert.deepEqual(await shop.post(), [])
    await shop.admin('PATCH', '/api/product/ice', { title: 'Sydney rock oysters, dozen' })
    await shop.look()
    assert.deepEqual(await shop.post(), [], 'it is called so, and there is none')
    await shop.admin('PATCH', '/api/product/ice', { stock: 4 })
    await shop.look()
    const [mail] = await shop.post()
    assert.deepEqual([mail?.subject, mail?.to], ['Oyster has landed', 'ann@example.org'])
    assert.match(mail?.text ?? '', /\/product\?q=oyster\s/)
    const there = await shop.ask({ email: 'ann@example.org', species: 'oyster' })
    assert.equal(there.statusCode, 409, 'it can be bought')
    const named = async (query: string) =>
      (await shop.app.inject(`/api/product/onSale?${query}`)).json().search?.named
    assert.equal(await named('q=oysters&max=1'), null, 'others filters left it out')
    assert.equal(await named('q=gemfish'), 'gemfish')
  })

  test(`${name}: wishes end, unconfirmed ones after a day, others after 180; a link that is over confirms nothing`, async () => {
    await using shop = await noticeShop(open)
    const { db } = shop.deps
    await shop.waitFor('ann@example.org')
    await shop.ask({ email: 'bea@example.org', product_id: 'snapper' })
    const [mail] = await shop.post()
    const left = await rows<{ days: number }>(
      db,
      sql`select round(extract(epoch from ends_at - clock_timestamp()) / 86400)::int as days from stock_notices order by email`,
    )
    assert.deepEqual(left, [{ days: 180 }, { days: 1 }])
    await rows(db, sql`update stock_notices set ends_at = clock_timestamp() - interval '1 second'`)
    assert.equal((await confirm(shop, tokenOf(mail))).statusCode, 400)
    await setStock(shop, 5)
    await shop.look()
    assert.deepEqual(await shop.post(), [])
    await purge(db, new Date(), retentions)
    assert.equal(await db.$count(stockNotices), 0)
  })

  test(`${name}: an address waits for so much and no more, and nobody but its owner is told`, async () => {
    await using shop = await noticeShop(open)
    const { db } = shop.deps
    const many = Array.from({ length: 20 }, (_, i) => `x${i}`)
    await db
      .insert(products)
      .values(many.map((id) => ({ id, title: `Fish ${id}`, categoryId: 'c', stock: 0 })))
    await shop.waitFor('ann@example.org')
    const [{ address } = { address: '' }] = await db.select().from(stockNotices)
    const wish = {
      email: 'ann@example.org',
      address,
      endsAt: new Date(Date.now() + 60_000),
      confirmedAt: new Date(),
    }
    await db.insert(stockNotices).values(many.slice(1).map((id) => ({ id, productId: id, ...wish })))
    const reply = await shop.ask({ email: 'ann@example.org', product_id: 'ice' })
    assert.equal(reply.statusCode, 202, reply.body)
    const [mail] = await shop.post()
    assert.match(mail?.text ?? '', /waits for so much already/)
    assert.equal(await shop.waits(), 20)
  })

  test(`${name}: so many wait for one thing and no more; who has not confirmed keeps nobody out`, async () => {
    await using shop = await noticeShop(open)
    const { db } = shop.deps
    await rows(
      db,
      sql`insert into stock_notices (id, product_id, email, address, ends_at)
          select 'n' || i, 'snapper', 'n' || i || '@example.org', 'a' || i, clock_timestamp() + interval '1 hour'
          from generate_series(1, 2000) i`,
    )
    const ask = () => shop.ask({ email: 'ann@example.org', product_id: 'snapper' })
    assert.equal((await ask()).statusCode, 202, 'they may be nobody’s')
    await rows(db, sql`update stock_notices set confirmed_at = clock_timestamp()`)
    assert.equal((await ask()).statusCode, 409)
  })

  test(`${name}: an address gets so many emails that strangers cause and no more, whatever they ask for`, async () => {
    await using shop = await noticeShop(open)
    const answers: number[] = []
    for (let i = 0; i < 8; i++) {
      const what = i % 2 === 0 ? { product_id: 'snapper' } : { species: 'gemfish' }
      answers.push((await shop.ask({ email: 'ann@example.org', ...what }, `198.51.100.${i}`)).statusCode)
    }
    assert.deepEqual(answers, [202, 202, 202, 202, 202, 202, 429, 429])
    assert.equal((await shop.post()).length, 6)
  })
}
