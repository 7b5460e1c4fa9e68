import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProductInput } from '@befaqt/domain/catalogue'
import { MAX_FILE_BYTES } from '@befaqt/domain/upload-limits'
import { draftsOf, MAX_DROPPED, titleOfFile } from './dropped-pictures.ts'

const file = (name: string, type = 'image/jpeg', bytes = 3): File =>
  new File([new Uint8Array(bytes)], name, { type, lastModified: 1 })

for (const [name, title] of [
  ['snapper.jpg', 'Snapper'],
  ['king_prawns-large.JPEG', 'King prawns large'],
  ['IMG_1234.jpg', 'IMG 1234'],
  ['2026-11-27 bugs.webp', '2026-11-27 bugs'],
  ['Cafe\u0301 oysters.png', 'Café oysters'],
  ['no ending', 'No ending'],
  ['Pacific oysters No. 2.avif', 'Pacific oysters No. 2'],
  ['\u202eevil\u0007name.png', 'Evil name'],
  ['###---.jpg', 'Draft 7'],
  ['.jpg', 'Draft 7'],
  ['鱼.jpg', '鱼'],
] as const)
  test(`a draft of ${JSON.stringify(name)} is called ${title}`, () => {
    assert.equal(titleOfFile(name, 7), title)
  })

test('a title of any name of a file is one that the shop takes', () => {
  for (const name of [
    `${'a long name of a fish '.repeat(20)}.jpg`,
    `${'x'.repeat(300)}.jpg`,
    `${'🐟'.repeat(150)}a.jpg`,
    `${'a🐟'.repeat(75)}.jpg`,
    '\u0000\u0001.png',
    '   .png',
  ]) {
    const title = titleOfFile(name, 1)
    const { error } = ProductInput.safeParse({ title, category_id: 'c' })
    assert.equal(error, undefined, `${JSON.stringify(title)}: ${error?.message}`)
    assert.ok(title.isWellFormed())
  }
})

test('what is no picture, too large, empty, HEIC, there twice or too much is refused by name; the rest become drafts', () => {
  const { drafts, refused } = draftsOf(
    [
      file('snapper.jpg'),
      file('prices.pdf', 'application/pdf'),
      file('IMG_1.HEIC', ''),
      file('IMG_2.heif', 'image/heif'),
      file('snapper.jpg'),
      file('big.png', 'image/png', MAX_FILE_BYTES + 1),
      file('none.png', 'image/png', 0),
    ],
    [],
  )
  assert.deepEqual(
    drafts.map(({ title }) => title),
    ['Snapper'],
  )
  const heic =
    'is HEIC, which browsers can’t read: send it as JPEG (on an iPhone: Settings, Camera, Formats, Most Compatible)'
  assert.deepEqual(refused, [
    'prices.pdf is not a picture that can be uploaded',
    `IMG_1.HEIC ${heic}`,
    `IMG_2.heif ${heic}`,
    'snapper.jpg is there already: it becomes one draft',
    'big.png has more than 10 MB',
    'none.png is empty',
  ])
  assert.equal(draftsOf([file('snapper.jpg')], drafts).drafts.length, 0, 'also of a drop before')
  const many = draftsOf(
    Array.from({ length: MAX_DROPPED + 3 }, (_, at) => file(`${at}.jpg`)),
    [],
  )
  assert.equal(many.drafts.length, 50)
  assert.deepEqual(many.refused, ['3 more than 50 at once: drop them next'])
  assert.equal(new Set(many.drafts.map(({ id }) => id)).size, 50)
  for (const { id } of many.drafts)
    assert.match(id, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
})
