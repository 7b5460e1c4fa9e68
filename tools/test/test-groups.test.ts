import assert from 'node:assert/strict'
import test from 'node:test'
import { testGroups } from './test-groups.ts'

const inMail = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `server/src/mail/${name}.test.ts`)

test('files of one folder of the server share a process, six at most; every other file has its own', () => {
  const files = ['domain/src/a.test.ts', 'domain/src/b.test.ts', 'server/src/jobs/a.test.ts', ...inMail]
  assert.deepEqual(testGroups([...files, 'server/src/shop.test.ts', 'server/src/start.test.ts']), [
    ['domain/src/a.test.ts'],
    ['domain/src/b.test.ts'],
    ['server/src/jobs/a.test.ts'],
    inMail.slice(0, 6),
    inMail.slice(6),
    ['server/src/shop.test.ts'],
    ['server/src/start.test.ts'],
  ])
})
