import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { deskRoutes } from './desk-routes.ts'
import { isDeskPath, routes } from './routes.ts'

const all = [...routes, ...deskRoutes]

const folder = new URL('./routes/', import.meta.url)

test('every URL has its route file, and no file is unused', () => {
  const named = all.map(([, name]) => `${name}.tsx`).sort()
  for (const name of named) assert.ok(existsSync(new URL(name, folder)), name)
  assert.deepEqual(readdirSync(folder).sort(), named)
})

test('no two URLs share a file', () => assert.equal(new Set(all.map(([, name]) => name)).size, all.length))

test('an address tells whether its routes come with the desk', () => {
  for (const [path] of routes) assert.equal(isDeskPath(path), false, path)
  for (const [path] of deskRoutes) assert.equal(isDeskPath(path), true, path)
  assert.equal(isDeskPath('/Manage/Product'), true)
  assert.equal(isDeskPath('/management'), false)
  assert.equal(isDeskPath('/stations'), false)
})
