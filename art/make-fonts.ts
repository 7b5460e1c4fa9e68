import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { subsetFont } from './subset-font.ts'

/*
 * Makes the shop's fonts from the Latin ones of the registry packages: what nearly every page is written with in a
 * `core` file that each first visit fetches, the rest of Latin in a file that browsers fetch only where a text has
 * such a letter (`unicode-range` in fonts.css). Run it again after a package changed: node art/make-fonts.ts
 */

const require = createRequire(import.meta.url)
const folder = join(import.meta.dirname, '../web/src/styles/fonts')

/** All characters between two, both included. */
const span = (first: number, last: number): string =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, i) => first + i))

/** ASCII, and beyond it what the shop's own words need. The same as `unicode-range` in fonts.css. */
const core = `${span(0x20, 0x7e)}\u00a0°±²·×÷–—‘’“”…−`
const latin = `${span(0xa0, 0xff)}ıŒœˆ˚˜‚„†‡•‰‹›⁄€™↑↓−∕`
const parts = { core, rest: [...latin].filter((letter) => !core.includes(letter)).join('') }

/** Accents, ligatures, spacing, and figures of one width. Source: OpenType feature tags. */
const features = ['calt', 'ccmp', 'kern', 'liga', 'locl', 'mark', 'mkmk', 'rlig', 'tnum']

/** Headings have one weight, text has all from 400 to 700. */
const families = [
  {
    name: 'fraunces',
    whole: require.resolve('@fontsource-variable/fraunces/files/fraunces-latin-wght-normal.woff2'),
    weights: 560,
  },
  {
    name: 'instrument-sans',
    whole: require.resolve(
      '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2',
    ),
    weights: { min: 400, max: 700 },
  },
]

mkdirSync(folder, { recursive: true })
for (const { name, whole, weights } of families) {
  for (const [part, letters] of Object.entries(parts)) {
    const font = await subsetFont(readFileSync(whole), { letters, weights, features })
    writeFileSync(join(folder, `${name}-${part}.woff2`), font)
    console.log(`${name}-${part}.woff2: ${font.length} bytes`)
  }
}
