import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Blob, Face } from 'harfbuzzjs'
import { decompress } from 'woff2-encoder'

const css = readFileSync(join(import.meta.dirname, 'fonts.css'), 'utf8')

/** Code points of a `unicode-range`: 'U+20-7E, U+A0'. */
const codePoints = (range: string): number[] =>
  range.split(',').flatMap((part) => {
    const [first = 0, last = first] = (part.trim().slice(2).split('-') as string[]).map((hex) =>
      Number.parseInt(hex, 16),
    )
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  })

const faces = [
  ...css.matchAll(/font-family: "([^"]+)";\s+src: url\("\.\/([^"]+)"\)[^}]+unicode-range:([^;]+);/g),
].map(([, family = '', file = '', range = '']) => ({ family, file, range: codePoints(range) }))

for (const { file, range } of faces)
  test(`${file} has no letter that fonts.css never asks it for, and all of ASCII if it is the core`, async () => {
    const font = await decompress(readFileSync(join(import.meta.dirname, file)))
    const drawn = [...new Face(new Blob(font.slice().buffer)).collectUnicodes()]
    assert.deepEqual(
      drawn.filter((letter) => !range.includes(letter)),
      [],
    )
    const ascii = drawn.filter((letter) => letter < 0x7f)
    assert.equal(ascii.length, file.includes('core') ? 95 : 0)
    assert.ok(drawn.length > 90)
  })

test('no character of a font family is in two of its files', () => {
  assert.equal(faces.length, 4)
  for (const family of new Set(faces.map((face) => face.family))) {
    const letters = faces.filter((face) => face.family === family).flatMap(({ range }) => range)
    assert.equal(new Set(letters).size, letters.length, family)
  }
})
