import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RelatedProducts } from '@befaqt/domain/catalogue'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { categories, productBoxes, products } from '#server/db/schema/shop.ts'
import { testDatabases } from '#server/testing/database.ts'
import { shopWithOrders, snapperBox } from '#server/testing/orders.ts'

const titles = {
  whole: 'Snapper, whole',
  pink: 'Pink snapper fillets',
  away: 'Snapper cutlets',
  flathead: 'Flathead fillets',
  bream: 'Bream fillets',
  ling: 'Ling fillets',
  cod: 'Murray cod, whole',
  prawns: 'Cooked prawns',
}

for (const [name, open] of testDatabases)
  test(`${name}: beside a product are others of its kind, then of its cut, at most four that can be bought, with why`, async () => {
    await using shop = await shopWithOrders({ open })
    const { db } = shop.deps
    await db.insert(categories).values({ id: 'd', title: 'Prawns', titleKey: 'prawns', shelfPos: '2' })
    const all = Object.entries(titles).map(([id, title], i) => ({ id, title, shelfPos: `1.${i + 1}` }))
    await db.insert(products).values(
      all.map((one) => ({
        ...one,
        categoryId: one.id === 'prawns' ? 'd' : 'c',
        stock: one.id === 'away' ? 0 : 9,
      })),
    )
    shop.deps.catalogue.clear()
    const related = async (id: string) => {
      const answer = await shop.app.inject(`/api/product/${id}/related`)
      assert.equal(answer.statusCode, 200, answer.body)
      const found: RelatedProducts[] = answer.json()
      return found.flatMap(({ reason, products }) => products.map(({ _id }) => `${_id}: ${reason}`))
    }
    const beside = [
      'whole: Also snapper',
      'snapper: Also snapper',
      'flathead: Also fillets',
      'bream: Also fillets',
    ]
    assert.deepEqual((await related('pink')).sort(), beside.sort())
    const whole = await related('whole')
    assert.deepEqual(whole.sort(), ['cod: Also sold whole', 'pink: Also snapper', 'snapper: Also snapper'])
    assert.deepEqual(await related('prawns'), [])
    assert.deepEqual(await related('gone'), [])

    await snapperBox(shop)
    await db.insert(productBoxes).values({ productId: 'whole', boxId: 'BOX-1', quantity: 5, unit: 'kg' })
    await db.insert(productBoxes).values({ productId: 'prawns', boxId: 'BOX-1', quantity: 5, unit: 'kg' })
    shop.deps.catalogue.clear()
    const boat = sampleBox().catchProv?.boat ?? 'no boat'
    assert.deepEqual(
      (await related('prawns')).sort(),
      [`snapper: Also landed by ${boat}`, `whole: Also landed by ${boat}`],
      'of the same boat, whatever it is',
    )
    const recalled = await shop.admin('POST', '/api/box/BOX-1/recall', { reason: 'Histamine' })
    assert.ok(recalled.statusCode < 300, recalled.body)
    shop.deps.catalogue.clear()
    assert.deepEqual(
      await related('pink'),
      ['flathead: Also fillets', 'bream: Also fillets', 'ling: Also fillets'],
      'nothing of a recalled box',
    )
  })
