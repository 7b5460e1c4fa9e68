import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_SITE_TEXT } from '@befaqt/domain/site-settings'
import { testDatabases } from '#server/testing/database.ts'
import { type OrderShop, shopWithOrders } from '#server/testing/orders.ts'

const terms = {
  part: 'text',
  page: 'about/terms',
  title: 'Our terms',
  description: 'What holds',
  text: 'New.',
}

const save = (shop: OrderShop, value: object) => shop.admin('PUT', '/api/manage/site', value)
const pageOf = async (shop: OrderShop, page: string) => (await shop.app.inject(`/api/content/${page}`)).json()

for (const [name, open] of testDatabases)
  test(`${name}: the words of a page are edited, shown at once without scripts, restored, and given back to the file`, async () => {
    await using shop = await shopWithOrders({ open })
    const before = await pageOf(shop, 'about/terms')
    const text =
      '## Prices\n\nFrom <script>alert(1)</script> [us](javascript:alert(1)).\n\n{{seller}}\n\nOf {{market}}.'
    const saved = await save(shop, { ...terms, text })
    assert.equal(saved.statusCode, 200, saved.body)
    assert.equal(saved.json().key, 'about.terms')
    const page = await pageOf(shop, 'about/terms')
    assert.deepEqual([page.title, page.description], ['Our terms', 'What holds'])
    assert.match(page.html, /<h2>Prices<\/h2>\n<p>From &lt;script&gt;alert\(1\)&lt;\/script&gt; us\.<\/p>/)
    assert.match(page.html, /<p>This shop has not stated who sells.*<p>Of Sydney Fish Market, /s)
    assert.equal((await pageOf(shop, 'about/privacy')).title, 'Privacy', 'others stay')

    const times = await save(shop, { ...terms, page: 'about/delivery', text: '{{times}}\n\nTo {{areas}}' })
    assert.equal(times.statusCode, 200, times.body)
    assert.match((await pageOf(shop, 'about/delivery')).html, /<h2>Pick-up<\/h2>.*2000, 2009/s)

    const { rows } = (await shop.admin('GET', '/api/manage/site/about.terms/versions')).json()
    assert.deepEqual([rows.length, rows[0].before.title, rows[0].after.text], [1, before.title, text])
    const back = await shop.admin('POST', '/api/manage/site/about.terms/restoration', { to: 0 })
    assert.equal(back.statusCode, 200, back.body)
    assert.deepEqual(await pageOf(shop, 'about/terms'), before)
  })

test('a preview is the page as it would be, of what is refused it says why, and neither saves anything', async () => {
  await using shop = await shopWithOrders()
  const before = await pageOf(shop, 'about/terms')
  const preview = (value: object) => shop.admin('POST', '/api/manage/site/preview', value)
  const shown = await preview({ ...terms, text: 'At {{market}}. <b>!</b>' })
  assert.equal(shown.statusCode, 200, shown.body)
  assert.match(shown.json().html, /^<p>At Sydney Fish Market, .*&lt;b&gt;!&lt;\/b&gt;<\/p>\n$/)
  for (const [more, path, words] of [
    [{ text: ' ' }, 'text', /text is required/],
    [{ text: 'a {{price}} b' }, 'text', /\{\{price\}\} is nothing that the shop fills in/],
    [{ text: 'x'.repeat(MAX_SITE_TEXT + 1) }, 'text', /at most 20000 characters/],
    [{ title: 'a\nb' }, 'title', /cannot be shown/],
    [{ text: 'a\u202eb' }, 'text', /cannot be shown/],
  ] as const)
    for (const ask of [preview, (value: object) => save(shop, value)]) {
      const refused = await ask({ ...terms, ...more })
      assert.equal(refused.statusCode, 400, refused.body)
      const [field] = refused.json().error.fields
      assert.equal(field.path, path)
      assert.match(field.message, words)
    }
  assert.equal((await save(shop, { ...terms, page: 'about/nowhere' })).statusCode, 404)
  assert.deepEqual(await pageOf(shop, 'about/terms'), before)
})
