import assert from 'node:assert/strict'
import test from 'node:test'
import { filesOf, textOf } from './project.ts'

/** The catalogue’s tables, by their names in the schema and in SQL. */
const TABLES = 'categories|products|productImages|productBoxes|product_images|product_boxes'
/** The folders that may write to them; others call their actions. Samples are loaded into an empty shop. */
const WRITERS = /^server\/src\/(catalogue\/|sample\/load-sample\.ts$)/
const OPENS = 'server/src/catalogue/change-catalogue.ts'

const written = new RegExp(
  `[\\w.]+\\s*\\.(?:insert|update|delete)\\(\\s*(?:${TABLES})\\s*\\)|(?:insert\\s+into|update|delete\\s+from)\\s+"?(?:${TABLES})\\b(?!\\))`,
  'gi',
)
/** A statement of the query builder on the transaction that `changeCatalogue` opens. */
const ON_TX = /^tx\s*\./

/** Statements of a file that can change the catalogue without a notification. */
function faultsOf(file: string, text: string): string[] {
  if (file === OPENS) return []
  const faults = /\bas\s+CatalogueTx\b/.test(text) ? ['makes a CatalogueTx of its own'] : []
  const found = [...text.matchAll(written)].map(([statement]) => statement)
  if (found.length === 0) return faults
  if (!WRITERS.test(file)) faults.push('is not of the catalogue')
  if (!/\bCatalogueTx\b|\bchangeCatalogue\(/.test(text)) faults.push('has no transaction of changeCatalogue')
  if (/\btx: Tx\b/.test(text) && !file.startsWith('server/src/sample/')) faults.push('takes any transaction')
  if (/\.transaction\(/.test(text) && !file.startsWith('server/src/sample/'))
    faults.push('opens a transaction')
  for (const statement of found)
    if (statement.includes('.') && !ON_TX.test(statement))
      faults.push(`writes past the transaction: ${statement}`)
  return faults
}

test('a write to the catalogue’s tables is found in every form, and a permitted one is not', () => {
  const right = 'const f = (tx: CatalogueTx) => tx\n  .update(products).set({})'
  const at = 'server/src/catalogue/products/x.ts'
  assert.deepEqual(faultsOf(at, right), [])
  for (const [file, text] of [
    ['server/src/boxes/x.ts', right],
    [at, 'const f = (tx: Tx, other: CatalogueTx) => tx.insert(products)'],
    [at, 'changeCatalogue(deps, () => deps.db.delete(productBoxes))'],
    [at, 'deps.db.transaction((tx) => tx.insert(categories))'],
    [at, 'const f = (db: Db) => rows(db, sql`update products set stock = 0`)'],
    [at, 'const f = (db: Db) => rows(db, sql`insert into\n product_images values (1)`)'],
    [at, 'work(tx as CatalogueTx)'],
  ] as const)
    assert.notDeepEqual(faultsOf(file, text), [], text)
})

test('only the catalogue writes to its tables, in transactions of changeCatalogue', () => {
  const production = filesOf('server/src/**/*.ts').filter((file) => !/\.test\.ts$|\/testing\//.test(file))
  const texts = production.map((file) => [file, textOf(file)] as const)
  const writers = texts.filter(([, text]) => text.search(written) >= 0)
  assert.ok(writers.length > 5, 'the pattern finds those that are there')
  const faults = texts.flatMap(([file, text]) => faultsOf(file, text).map((fault) => `${file} ${fault}`))
  assert.deepEqual(faults, [])
})
