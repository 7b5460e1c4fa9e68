import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '@befaqt/domain/durations'
import { testDatabases } from '#server/testing/database.ts'
import { shopWithOrders } from '#server/testing/orders.ts'

const SELLER = {
  SELLER_NAME: 'Fish & Sons',
  SELLER_ABN: '51824753556',
  SELLER_ADDRESS: '1 Bank St, Pyrmont NSW 2009',
  SELLER_EMAIL: 'shop@fish.example',
}

for (const [name, open] of testDatabases) {
  test(`${name}: times and areas of delivery are those that orders can be placed for, in the next answer`, async () => {
    await using shop = await shopWithOrders({ open })
    const { admin } = shop
    const words = async (): Promise<string> =>
      (await shop.app.inject('/api/content/about/delivery')).json().html.replaceAll(/<[^>]+>/g, '\n')
    assert.match(
      await words(),
      /Pick-up\s+At Sydney Fish Market, Bank Street, Pyrmont NSW 2009 \(\s+on a map\s+\)\.\s+The next that is open: \w{3} \d+ \w{3}, /,
    )
    assert.match(await words(), /To these postcodes: 2000, 2009\./, 'of the slot that was made by hand')

    const rule = { kind: 'delivery', from: '10:00', to: '12:30', capacity: 5, cutOffMinutes: 90 }
    const added = await admin('POST', '/api/slot/rule', {
      ...rule,
      weekdays: [1, 2, 3, 4, 5],
      area: ['2010'],
    })
    assert.equal(added.statusCode, 201, added.body)
    assert.match(await words(), /Mon to Fri, 10:00 am to 12:30 pm: order until 1 h 30 min before/)
    assert.match(await words(), /To these postcodes: 2000, 2009, 2010\./)

    const day = new Date(Date.now() + 100 * HOUR_MS).toISOString().slice(0, 10)
    await admin('POST', '/api/slot/closed-day', { day, reason: 'The boss marries' })
    assert.match(await words(), /Closed on \w{3} \d+ \w{3}\./)
    assert.doesNotMatch(await words(), /boss/, 'the reason is the shop’s own')

    for (const { _id } of (await admin('GET', '/api/slot/all?size=200')).json().rows)
      await admin('PATCH', `/api/slot/${_id}`, { closed: true })
    assert.equal((await words()).match(/No times are open now\./g)?.length, 2, 'of neither kind')
  })
}

test('who sells is what is set up, and nobody where nothing is; every page of the footer is there, in the sitemap and as a document', async () => {
  await using bare = await shopWithOrders()
  const html = async (shop: typeof bare, page: string): Promise<string> =>
    (await shop.app.inject(`/api/content/about/${page}`)).json().html
  assert.match(await html(bare, 'contact'), /This shop has not stated who sells/)
  assert.match(
    await html(bare, 'contact'),
    /At Sydney Fish Market, Bank Street, Pyrmont NSW 2009 \(<a href="https:\/\/www\.openstreetmap\.org\/\?mlat=-33\.8727&amp;mlon=151\.1925#/,
  )
  const site = (await bare.app.inject('/api/site')).json()
  assert.equal(site.seller, null)
  assert.equal(site.pages.length, 7)
  const sitemap = (await bare.app.inject('/sitemap.xml')).body
  for (const { path, title } of site.pages) {
    const page = (await bare.app.inject(`/api/content${path}`)).json()
    assert.match(page.html, /Sample text/, `${path} is marked`)
    assert.doesNotMatch(page.html, /\{\{|undefined|NaN/, path)
    assert.ok(page.description.length > 40, `${title} has a description`)
    assert.ok(sitemap.includes(`<loc>${site.publicUrl}${path}</loc>`), path)
  }
  assert.match(await html(bare, 'privacy'), /deleted 365 days after/)
  assert.equal((await bare.app.inject('/api/content/about/nowhere')).statusCode, 404)

  await using named = await shopWithOrders({ env: SELLER })
  const said = await html(named, 'contact')
  for (const part of ['Fish &amp; Sons', '51 824 753 556', '1 Bank St', 'shop@fish.example'])
    assert.ok(said.includes(part), part)
  assert.doesNotMatch(said, /stated/)
  assert.equal((await named.app.inject('/api/site')).json().seller, 'Fish & Sons, ABN 51 824 753 556')
})

test('whom to tell of a hole is at /.well-known/security.txt, as the shop states it now, for less than a year', async () => {
  const PATH = '/.well-known/security.txt'
  await using bare = await shopWithOrders()
  assert.equal((await bare.app.inject(PATH)).statusCode, 404, 'nobody is stated')

  await using named = await shopWithOrders({ env: SELLER })
  const answer = await named.app.inject(PATH)
  assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8')
  const fields = new Map(
    answer.body
      .trimEnd()
      .split('\n')
      .map((line) => line.split(': ', 2) as [string, string]),
  )
  assert.equal(fields.get('Contact'), 'mailto:shop@fish.example')
  assert.equal(fields.get('Canonical'), `${named.deps.config.PUBLIC_URL}${PATH}`)
  const days = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / (24 * HOUR_MS)
  assert.ok(days > 170 && days <= 180, `${days} days`)

  const seller = { part: 'seller', name: 'Fish & Sons', email: 'a+b&c@fish.example' }
  const saved = await named.admin('PUT', '/api/manage/site', seller)
  assert.equal(saved.statusCode, 200, saved.body)
  assert.match((await named.app.inject(PATH)).body, /^Contact: mailto:a%2Bb%26c@fish\.example$/m)
})
