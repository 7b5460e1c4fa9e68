import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const css = readFileSync(join(import.meta.dirname, 'theme.css'), 'utf8')
const COLOUR = /--color-([a-z-]+): (?:light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)|(#[0-9a-f]{6}));/g
const palette = new Map(
  [...css.matchAll(COLOUR)].map(([, name, light, dark, both]) => [
    name ?? '',
    { light: light ?? both ?? '', dark: dark ?? both ?? '' },
  ]),
)

/** Source: WCAG 2.2, "relative luminance". */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

const grounds = ['ground', 'surface', 'ice']
/** What is written or drawn on what, and how much they differ at least: 7 for long text, 4.5 for text, 3 for marks. */
const pairs: [least: number, marks: string[], on: string[]][] = [
  [7, ['ink'], grounds],
  [4.5, ['slate', 'teal', 'teal-deep', 'bad', 'warn', 'good'], grounds],
  [4.5, ['on-teal'], ['teal', 'teal-deep']],
  [4.5, ['on-coral'], ['coral', 'coral-deep']],
  [4.5, ['on-night', 'mist', 'lamp'], ['night', 'night-deep']],
  [4.5, ['night-deep'], ['lamp']],
  [4.5, ['ink', 'slate', 'teal'], ['teal-ice']],
  [4.5, ['bad', 'ink'], ['bad-ice']],
  [4.5, ['good', 'ink'], ['good-ice']],
  [4.5, ['own', 'ink'], ['own-ice']],
  [4.5, ['warn', 'ink'], ['warn-ice']],
  [3, ['edge', 'star', 'cold', 'cool', 'warm'], ['ground', 'surface']],
  [3, ['ink', 'slate', 'teal'], ['sea', 'land']],
]

test('every colour is told once, for one scheme or for both', () => {
  const told = [...palette.values()].flatMap(({ light, dark }) => (light === dark ? [light] : [light, dark]))
  assert.equal(css.match(/#[0-9a-f]{3,8}\b/g)?.length, told.length)
  assert.ok(told.length > 50)
})

test('styles name no variable that no style sets', () => {
  const src = join(import.meta.dirname, '..')
  const sheets = globSync('**/*.css', { cwd: src }).map((file) => readFileSync(join(src, file), 'utf8'))
  const set = new Set(sheets.flatMap((text) => text.match(/--[\w-]+(?=:)/g) ?? []))
  const named = sheets.flatMap((text) => text.match(/(?<=var\()--[\w-]+/g) ?? [])
  assert.deepEqual(
    named.filter((name) => !set.has(name)),
    [],
  )
})

test('a look that has a name is not written out', () => {
  const src = join(import.meta.dirname, '..')
  const named = [
    ...readFileSync(join(import.meta.dirname, 'base.css'), 'utf8').matchAll(
      /@utility ([\w-]+) \{\s*@apply ([^;]+);/g,
    ),
  ].map(([, name = '', classes = '']) => ({ name, classes: classes.split(' ') }))
  assert.ok(named.length > 2)
  const writtenOut = globSync('**/*.tsx', { cwd: src }).flatMap((file) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(/(["'`])([^"'`\n]+)\1/g)].flatMap(
      ([, , text = '']) => {
        const words = new Set(text.split(' '))
        return named
          .filter(({ classes }) => classes.every((one) => words.has(one)))
          .map(({ name }) => `${file}: ${name} is written as ${text}`)
      },
    ),
  )
  assert.deepEqual(writtenOut, [])
})

for (const scheme of ['light', 'dark'] as const)
  test(`what is written and drawn can be told from its ground in ${scheme}`, () => {
    const colour = (name: string): string => {
      const found = palette.get(name)
      assert.ok(found, name)
      return found[scheme]
    }
    const faint = pairs.flatMap(([least, marks, on]) =>
      marks.flatMap((mark) =>
        on
          .map((ground) => ({ mark, ground, is: contrast(colour(mark), colour(ground)) }))
          .filter(({ is }) => is < least)
          .map(({ mark: name, ground, is }) => `${name} on ${ground}: ${is.toFixed(2)} of ${least}`),
      ),
    )
    assert.deepEqual(faint, [])
  })
