import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { routes } from './routes.ts'

const folder = new URL('./routes/', import.meta.url)

test('every URL has its route file, and no file is unused', () => {
  const named = routes.map(([, name]) => `${name}.tsx`).sort()
  for (const name of named) assert.ok(existsSync(new URL(name, folder)), name)
  assert.deepEqual(readdirSync(folder).sort(), named)
})

test('no two URLs share a file', () =>
  assert.equal(new Set(routes.map(([, name]) => name)).size, routes.length))
