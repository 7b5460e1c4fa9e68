import assert from 'node:assert/strict'
import test from 'node:test'
import { filesOf, textOf } from './project.ts'

/** The one place for method and URL of an operation. */
const ENDPOINTS = 'domain/src/api/endpoints/'
/** The auditor asks any shop as the protocol says, and imports nothing of ours. */
const AUDITOR = 'provenance/src/audit/shop-anchors.ts'

/** Code without comments, which may name URLs, and without imports from folders called `api`. */
const codeOf = (text: string): string =>
  text
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '')
    .replaceAll(/(?:from |import\(?)\s*'[^']*'/g, '')

/** URLs of the API in a text; a prefix alone is not one. */
const urlsIn = (text: string): string[] => codeOf(text).match(/\/api\/[\w:*$].*/g) ?? []

test('a URL in code is found; comments, imports and prefixes are ignored', () => {
  for (const text of [
    "fetch('/api/product')",
    `const url = \`/api/box/\${boxID}/page\``,
    '<a href="/api/docs">',
    "path: '/api/user',",
    `\`\${origin}/api/chain/rpc\``,
    `\`/api/\${'product'}\``,
  ])
    assert.equal(urlsIn(text).length, 1, text)
  for (const text of [
    '/** `GET /api/geocode?latlng=` answers */',
    'x() // as /api/product does',
    `import { readSite } ${'from'} '@befaqt/domain/api/endpoints/shop'`,
    "const { x } = await import('#web/api/part.ts')",
    "url.startsWith('/api/')",
  ])
    assert.deepEqual(urlsIn(text), [], text)
})

test('URLs of the API are written only in domain/src/api/endpoints/', () => {
  const production = filesOf('{domain,provenance,server,web}/{src/,}**/*.{ts,tsx}').filter(
    (file) =>
      !/\.test\.tsx?$|\/testing\/|\/vectors\//.test(file) && !file.startsWith(ENDPOINTS) && file !== AUDITOR,
  )
  assert.ok(production.length > 500, 'the files are found')
  const written = production.flatMap((file) => urlsIn(textOf(file)).map((url) => `${file}: ${url}`))
  assert.deepEqual(written, [])
})

test('no two operations have the same method and URL', () => {
  const files = filesOf(`${ENDPOINTS}*.ts`)
  const pairs = files.flatMap((file) =>
    [...textOf(file).matchAll(/endpoint\(\s*('\w+',\s*[^,)]+)/g)].map(([, pair]) =>
      pair?.replace(/\s+/, ' '),
    ),
  )
  assert.ok(pairs.length > 60, 'the endpoints are found')
  assert.deepEqual(
    pairs.filter((pair, index) => pairs.indexOf(pair) !== index),
    [],
  )
})
