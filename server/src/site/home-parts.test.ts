import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_PARTNERS } from '@befaqt/domain/site-settings'
import { testDatabases } from '#server/testing/database.ts'
import { type OrderShop, shopWithOrders, snapperBox } from '#server/testing/orders.ts'

const save = (shop: OrderShop, value: object) => shop.admin('PUT', '/api/manage/site', value)
const siteOf = async (shop: OrderShop) => (await shop.app.inject('/api/site')).json()
const partner = { name: 'Harbour School', url: 'https://school.example/', kind: 'School' }

for (const [name, open] of testDatabases)
  test(`${name}: partners, award and sample box of the home page are edited, and given back to the file`, async () => {
    await using shop = await shopWithOrders({ open })
    const before = await siteOf(shop)
    assert.deepEqual([before.partners.length, before.award.text], [3, 'Winner, NSW iAwards 2020'])
    await snapperBox(shop)
    for (const value of [
      { part: 'partners', partners: [partner] },
      { part: 'award', text: 'Best of 2026', url: 'https://best.example/2026' },
      { part: 'sample-box', box: 'BOX-1' },
    ]) {
      const saved = await save(shop, value)
      assert.equal(saved.statusCode, 200, saved.body)
    }
    const after = await siteOf(shop)
    assert.deepEqual(after.partners, [partner])
    assert.deepEqual(after.award, { text: 'Best of 2026', url: 'https://best.example/2026' })
    assert.equal(after.sampleBox, 'BOX-1')
    assert.match((await shop.app.inject('/sitemap.xml')).body, /\/SFMBox\/byId\/BOX-1</)

    await save(shop, { part: 'partners', partners: [] })
    await save(shop, { part: 'award', text: '', url: '' })
    const without = await siteOf(shop)
    assert.deepEqual([without.partners, without.award], [[], null])
    for (const part of ['partners', 'award', 'sample-box'])
      assert.equal(
        (await shop.admin('POST', `/api/manage/site/${part}/restoration`, { to: 0 })).statusCode,
        200,
      )
    assert.deepEqual({ ...(await siteOf(shop)), asOf: before.asOf }, before)
  })

test('links lead to other sites and nowhere else, a box has to be there, and each wrong field is named', async () => {
  await using shop = await shopWithOrders()
  const before = await siteOf(shop)
  for (const [value, ...paths] of [
    [
      { part: 'partners', partners: [partner, { ...partner, url: 'javascript:alert(1)', name: '' }] },
      'partners[1].name',
      'partners[1].url',
    ],
    [{ part: 'partners', partners: Array(MAX_PARTNERS + 1).fill(partner) }, 'partners'],
    [{ part: 'award', text: 'Best', url: '' }, 'url'],
    [{ part: 'award', text: '', url: 'https://best.example/' }, 'text'],
    [{ part: 'award', text: 'Best', url: 'data:text/html,x' }, 'url'],
    [{ part: 'sample-box', box: 'NO-SUCH-BOX' }, 'box'],
  ] as const) {
    const refused = await save(shop, value)
    assert.equal(refused.statusCode, 400, refused.body)
    assert.deepEqual(
      refused
        .json()
        .error.fields.map(({ path }: { path: string }) => path)
        .sort(),
      paths,
    )
  }
  assert.deepEqual({ ...(await siteOf(shop)), asOf: before.asOf }, before)
})
