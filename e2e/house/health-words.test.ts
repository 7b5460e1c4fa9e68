import assert from 'node:assert/strict'
import test from 'node:test'
import { textOf } from './project.ts'

test('each part of the readiness has words for people on the page Health', () => {
  const checks = textOf('server/src/ops/readiness-checks.ts')
  const types = checks.slice(checks.indexOf('export type Part ='), checks.indexOf('class NotReady'))
  const parts = [...types.matchAll(/'([a-z]+)'/g)].map(([, name]) => name)
  const screen = textOf('web/src/features/manage/health-screen.tsx')
  const words = [...screen.matchAll(/^ {2}([a-z]+): \['/gm)].map(([, name]) => name)
  assert.ok(parts.length > 15, parts.join())
  assert.deepEqual(words.sort(), parts.sort())
})
