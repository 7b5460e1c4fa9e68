import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RelatedProducts } from '@befaqt/domain/catalogue'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { eq } from 'drizzle-orm'
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

for (const [name, open] of testDatabases)
  test(`${name}: two offers of one fish say how they differ, and other fish do not`, async () => {
    await using shop = await shopWithOrders({ open })
    const { db } = shop.deps
    const offer = (id: string, title: string, other: object) => ({
      ...{
        id,
        title,
        categoryId: 'c',
        stock: 9,
        priceCents: 3_000,
        origin: 'Australia',
        shelfPos: `1.${id}`,
      },
      ...other,
    })
    const skin = [{ kind: 'skin-on' as const, yieldPercent: 44, feeCents: 400 }]
    await db
      .insert(products)
      .values([
        offer('1', 'Snapper, whole', { preparations: skin }),
        offer('2', 'Snapper fillets', { priceCents: 5_000, discount: 10 }),
        offer('3', 'Snapper', { unit: 'each', origin: 'New Zealand' }),
        offer('4', 'Murray cod, whole', {}),
      ])
    await db.update(products).set({ title: 'Eel' }).where(eq(products.id, 'snapper'))
    await snapperBox(shop)
    await db.insert(productBoxes).values({ productId: '2', boxId: 'BOX-1', quantity: 5, unit: 'kg' })
    const said = async (id: string) => {
      shop.deps.catalogue.clear()
      const found: RelatedProducts[] = (await shop.app.inject(`/api/product/${id}/related`)).json()
      return Object.fromEntries(
        found.flatMap(({ products, differences }) => products.map(({ _id }, i) => [_id, differences[i]])),
      )
    }
    assert.deepEqual(await said('1'), {
      2: 'Fillets, not whole; from a tracked box; $15.00/kg more',
      3: 'Sold as it is, not cleaned or filleted; from New Zealand; sold by the piece',
      4: '',
    })
    assert.equal(
      (await said('2'))['1'],
      'Whole, not fillets; cleaned or filleted if you like; not tracked; $15.00/kg less',
    )
    assert.equal((await said('2'))['3'], 'Not tracked; from New Zealand; sold by the piece')
    await db.update(products).set({ discount: 40 }).where(eq(products.id, '2'))
    assert.match((await said('1'))['2'] ?? '', /; the same price$/)
    await db.insert(productBoxes).values({ productId: '1', boxId: 'BOX-1', quantity: 5, unit: 'kg' })
    assert.match((await said('1'))['2'] ?? '', /; from the same box; the same price$/)
  })
