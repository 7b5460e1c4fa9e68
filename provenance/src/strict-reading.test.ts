import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseBundle } from './bundle.ts'
import { parseJsonText } from './canonical.ts'
import { fromHex, isHexDigest } from './digest.ts'
import { FormatError } from './format-error.ts'
import { threeAnchors } from './testing/three-anchors.ts'

const DIGITS = '0123456789abcdef'

/** Characters that lenient readers of hex skip, fold or stop at. */
const LENIENT = [...'ABCDEFgx \t\n\r:-_', '\u0000', '０', 'ａ', 'а', '\u200b', '\ufeff']

test('a hash is 64 lower-case hex characters and nothing else', () => {
  const unit = fc.constantFrom(...DIGITS, ...LENIENT)
  const any = fc.string({ unit, minLength: 60, maxLength: 68 })
  const onlyDigits = fc.string({ unit: fc.constantFrom(...DIGITS), minLength: 62, maxLength: 66 })
  fc.assert(
    fc.property(fc.oneof(any, onlyDigits), (text) => {
      const isHash = text.length === 64 && [...text].every((character) => DIGITS.includes(character))
      assert.equal(isHexDigest(text), isHash)
      if (isHash) assert.equal(Buffer.from(fromHex(text)).toString('hex'), text)
      else assert.throws(() => fromHex(text), FormatError)
    }),
  )
})

/** Paths to all hashes in a value. */
function hashPaths(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value === 'string') return isHexDigest(value) ? [path] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => hashPaths(inner, [...path, name]))
}

/** The value at `path`, changed. */
function changed(value: unknown, path: readonly string[], change: (text: string) => string): unknown {
  const [name, ...rest] = path
  if (name === undefined) return change(String(value))
  const copy: Record<string, unknown> = Object(structuredClone(value))
  copy[name] = changed(copy[name], rest, change)
  return copy
}

test('every hash of a bundle is read strictly', () => {
  const bundle: unknown = JSON.parse(JSON.stringify(threeAnchors().bundleOf('A')))
  const paths = hashPaths(bundle)
  assert.ok(paths.length > 10)
  const spoilt: ((text: string) => string)[] = [
    (text) => text.replace(/[a-f]/, (letter) => letter.toUpperCase()),
    (text) => `0x${text}`,
    (text) => `${text}\n`,
    (text) => ` ${text}`,
    (text) => text.slice(2),
    (text) => `${text}00`,
    (text) => text.replace(/\d/, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  ]
  fc.assert(
    fc.property(fc.constantFrom(...paths), fc.constantFrom(...spoilt), (path, change) => {
      const text = String(path.reduce<unknown>((inner, name) => Object(inner)[name], bundle))
      if (change(text) === text) return
      assert.throws(() => parseBundle(changed(bundle, path, change)), FormatError, path.join('.'))
    }),
  )
})

test('a name that is given again anywhere in a text is refused, however it is written', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), fc.boolean(), (value, at, escaped) => {
      const marked = withMember(value, at)
      if (marked === undefined) return
      const text = JSON.stringify(marked)
      const again = escaped ? '"\\u0023twice"' : '"#twice"'
      assert.deepEqual(parseJsonText(text), JSON.parse(text))
      assert.throws(() => parseJsonText(text.replace('"#twice":1', `"#twice":1,${again}:1`)), FormatError)
    }),
  )
})

/** The value with a member `#twice` in one of its objects; undefined if it has none. */
function withMember(value: unknown, at: number): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(value))
  const objects = objectsIn(copy)
  const chosen = objects[at % Math.max(1, objects.length)]
  if (chosen === undefined) return undefined
  chosen['#twice'] = 1
  return copy
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(objectsIn)
  return Array.isArray(value) ? inner : [value as Record<string, unknown>, ...inner]
}

test('nothing may stand before, after or between what is JSON', () => {
  const unit = fc.constantFrom('\ufeff', '\u00a0', '\u000b', ',', 'x', '/**/', '}', '"', '\u0000', "'")
  fc.assert(
    fc.property(fc.json(), unit, fc.boolean(), (text, junk, before) =>
      assert.throws(() => parseJsonText(before ? junk + text : text + junk), FormatError),
    ),
  )
})
