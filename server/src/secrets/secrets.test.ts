import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { KEY_FILE, openSecrets } from './key-file.ts'
import { secretsOf } from './secrets.ts'

test('what was sealed opens again, only with its context and only untouched', () => {
  const secrets = secretsOf(randomBytes(32))
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.nat(), (text, context, at) => {
      const plain = text.toWellFormed()
      const sealed = secrets.seal(plain, context)
      assert.equal(secrets.open(sealed, context), plain)
      assert.throws(() => secrets.open(sealed, `${context}.`))
      const bytes = Buffer.from(sealed.slice(3), 'base64url')
      const i = at % bytes.length
      bytes[i] = (bytes[i] ?? 0) ^ 1
      assert.throws(() => secrets.open(`v1.${bytes.toString('base64url')}`, context))
    }),
  )
  assert.notEqual(secrets.seal('x', 'c'), secrets.seal('x', 'c'))
  assert.throws(() => secretsOf(randomBytes(32)).open(secrets.seal('x', 'c'), 'c'))
  for (const bad of ['', 'v1', 'v1.', 'v2.AAAA', 'v1.AAAA']) assert.throws(() => secrets.open(bad, 'c'), bad)
})

test('a fingerprint depends on key, text and context, and on where one ends and the other begins', () => {
  const key = randomBytes(32)
  const secrets = secretsOf(key)
  assert.equal(secrets.fingerprint('code', 'a'), secretsOf(key).fingerprint('code', 'a'))
  assert.notEqual(secrets.fingerprint('bc', 'a'), secrets.fingerprint('c', 'ab'))
  assert.notEqual(secrets.fingerprint('code', 'a'), secretsOf(randomBytes(32)).fingerprint('code', 'a'))
})

test('the key is made once, for the owner alone, also when two processes start together', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-key-'))
  const [one, two] = await Promise.all([openSecrets(folder), openSecrets(folder)])
  assert.equal(two.open(one.seal('x', 'c'), 'c'), 'x')
  assert.equal((await openSecrets(folder)).open(one.seal('y', 'c'), 'c'), 'y')
  assert.equal((await stat(join(folder, KEY_FILE))).mode & 0o777, 0o600)
  assert.deepEqual(await readdir(folder), [KEY_FILE])
  await rm(folder, { recursive: true })
})

test('a key file with something else in it stops the start and stays as it is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-key-'))
  await writeFile(join(folder, KEY_FILE), 'half a k')
  await assert.rejects(openSecrets(folder), /secret\.key does not hold a key of 32 bytes/)
  await rm(folder, { recursive: true })
})
