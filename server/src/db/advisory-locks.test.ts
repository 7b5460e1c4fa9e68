import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { advisoryLocks } from './advisory-locks.ts'

const SOURCE = fileURLToPath(new URL('..', import.meta.url))

test('no two advisory locks have one number', () => {
  const numbers = Object.values<number>(advisoryLocks)
  assert.deepEqual([...new Set(numbers)], numbers)
})

test('numbers and names of advisory locks stand in one file', () => {
  // The dedicated connection is given the number of a leader's lock, as a parameter.
  const takers = globSync('**/*.ts', { cwd: SOURCE })
    .filter((file) => !file.endsWith('.test.ts') && file !== 'db/advisory-locks.ts')
    .filter((file) =>
      /hashtextextended|0xbefa|advisory(?:_xact)?_lock(?:_shared)?\((?!\$1\))/.test(
        readFileSync(`${SOURCE}${file}`, 'utf8'),
      ),
    )
  assert.deepEqual(takers, [])
})

test('several rows are locked in the order of their bytes, which no collation changes', () => {
  const files = globSync('**/*.ts', { cwd: SOURCE }).filter((file) => !file.endsWith('.test.ts'))
  const others = files.flatMap((file) => {
    const text = readFileSync(`${SOURCE}${file}`, 'utf8')
    const chains = [...text.matchAll(/\.for\('/g)].map(({ index }) =>
      text.slice(text.lastIndexOf('.select(', index), index),
    )
    const isOrdered = (chain: string): boolean => /inByteOrder\(|orderBy\(jobs\.id\)/.test(chain)
    return chains
      .filter((chain) => /inArray\(|any\(|orderBy\(/.test(chain) && !isOrdered(chain))
      .map(() => file)
  })
  assert.deepEqual(others, [])
})
