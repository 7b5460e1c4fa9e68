import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordFile } from './record-file.ts'

test('a path of our own files is shown, without query or detours', () => {
  assert.deepEqual(recordFile('/api/file/box/a.webp'), { kind: 'ours', href: '/api/file/box/a.webp' })
  assert.deepEqual(recordFile('box/a.webp'), { kind: 'ours', href: '/api/file/box/a.webp' })
  assert.deepEqual(recordFile('/api/file/box/a.webp?w=9'), { kind: 'ours', href: '/api/file/box/a.webp' })
})

test('an address on another site is a link only', () => {
  assert.deepEqual(recordFile('https://example.org/a.png'), {
    kind: 'elsewhere',
    href: 'https://example.org/a.png',
  })
  assert.equal(recordFile('HTTP://example.org').kind, 'elsewhere')
})

test('anything else is not a link', () => {
  const hostile = [
    '',
    null,
    undefined,
    'javascript:alert(1)',
    'data:text/html,x',
    '//example.org/a.png',
    '/api/file/../user/signIn',
    '/api/file/%2e%2e/%2e%2e/manage',
    '/manage/user',
    '../user/signIn',
    'a/../../b',
    '\\\\example.org\\a',
    '/\\example.org/a',
    'x:y',
    'https://',
    '/api/file/a%2F..%2Fb',
  ]
  for (const address of hostile) assert.deepEqual(recordFile(address), { kind: 'none' }, String(address))
})
