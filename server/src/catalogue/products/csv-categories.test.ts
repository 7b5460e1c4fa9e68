import assert from 'node:assert/strict'
import { test } from 'node:test'
import { categories, products } from '#server/db/schema/shop.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'

async function shopWith(open?: Parameters<typeof testShop>[0]): Promise<TestShop & { admin: Caller }> {
  const shop = await testShop(open)
  await shop.deps.db.insert(categories).values([
    { id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' },
    { id: 'd', title: 'Shells, "whole"', titleKey: 'shells,"whole"', shelfPos: '2' },
  ])
  return { ...shop, admin: await callerOf(shop, 'admin', 'ADMIN') }
}

const bring = (admin: Caller, text: string, query = '') =>
  admin('POST', `/api/product/import${query}`, text, { 'content-type': 'text/csv' })

const everything = ({ deps }: TestShop) => deps.db.select().from(products).orderBy(products.id)

test('of a category that there is not, the one most like it is named and not taken', async () => {
  await using shop = await shopWith()
  const answer = await bring(shop.admin, 'title,category,price\nA,Fihs,1\nB,Beverages,1\nC,shell whole,1\n')
  const { bad } = answer.json().error.report
  assert.deepEqual(
    bad.map(({ line, message }: { line: number; message: string }) => `${line} ${message}`),
    [
      '2 There is no category “Fihs”. Did you mean “Fish”?',
      '3 There is no category “Beverages”',
      '4 There is no category “shell whole”. Did you mean “Shells, "whole"”?',
    ],
  )
  assert.deepEqual(await everything(shop), [])
})

for (const [name, open] of testDatabases)
  test(`${name}: a category that is said to be meant is taken for every line that has the word, and no other`, async () => {
    await using shop = await shopWith({ open })
    const csv = 'title,category,price\nA,Fihs,1\nB,fi hs,2\nC,Shell whole,3\nD,Fish,4\n'
    const meaning = (...pairs: [string, string][]) => `meant=${encodeURIComponent(JSON.stringify(pairs))}`
    const badOf = async (meant: string) =>
      (await bring(shop.admin, csv, `?dryRun=1&${meant}`))
        .json()
        .bad.map(({ line, nearest }: { line: number; nearest?: unknown }) => ({ line, nearest }))
    const shells = { typed: 'Shell whole', title: 'Shells, "whole"' }
    assert.deepEqual(await badOf(meaning()), [
      { line: 2, nearest: { typed: 'Fihs', title: 'Fish' } },
      { line: 3, nearest: { typed: 'fi hs', title: 'Fish' } },
      { line: 4, nearest: shells },
    ])
    assert.deepEqual(await badOf(meaning(['Fihs', 'Fish'])), [{ line: 4, nearest: shells }])
    const both = meaning(['Fihs', 'Fish'], [shells.typed, shells.title], ['Fish', shells.title])
    assert.equal((await bring(shop.admin, csv, `?${both}`)).statusCode, 200)
    assert.deepEqual(
      (await everything(shop)).map(({ title, categoryId }) => `${title} ${categoryId}`).sort(),
      ['A c', 'B c', 'C d', 'D c'],
      'a category that there is means itself',
    )
    assert.deepEqual(
      (await badOf(meaning(['Fihs', 'Gone'], [shells.typed, shells.title]))).map(
        ({ line }: { line: number }) => line,
      ),
      [2, 3],
      'one that is gone by now is taken for nothing',
    )
    for (const meant of ['meant=[', 'meant=[["a"]]', 'meant={}'])
      assert.equal((await bring(shop.admin, csv, `?${meant}`)).statusCode, 400, meant)
    const many = Array.from({ length: 100 }, (_, i): [string, string] => [`Word ${i}`, 'Fish'])
    assert.equal((await bring(shop.admin, csv, `?dryRun=1&${meaning(...many)}`)).statusCode, 200)
  })
