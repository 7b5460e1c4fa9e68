import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { KEY_FILE, loadSecrets, secretsOf } from './secrets.ts'

test('what was encrypted decrypts only with its context and only unaltered', () => {
  const secrets = secretsOf(randomBytes(32))
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.nat(), (text, context, at) => {
      const plain = text.toWellFormed()
      const sealed = secrets.encrypt(plain, context)
      assert.equal(secrets.decrypt(sealed, context), plain)
      assert.throws(() => secrets.decrypt(sealed, `${context}.`))
      const bytes = Buffer.from(sealed.slice(3), 'base64url')
      const i = at % bytes.length
      bytes[i] = (bytes[i] ?? 0) ^ 1
      assert.throws(() => secrets.decrypt(`v1.${bytes.toString('base64url')}`, context))
    }),
  )
  assert.notEqual(secrets.encrypt('x', 'c'), secrets.encrypt('x', 'c'))
  assert.throws(() => secretsOf(randomBytes(32)).decrypt(secrets.encrypt('x', 'c'), 'c'))
  for (const bad of ['', 'v1', 'v1.', 'v2.AAAA', 'v1.AAAA'])
    assert.throws(() => secrets.decrypt(bad, 'c'), bad)
})

test('an HMAC depends on key, text and context, and on the boundary between them', () => {
  const key = randomBytes(32)
  const secrets = secretsOf(key)
  assert.equal(secrets.hmac('code', 'a'), secretsOf(key).hmac('code', 'a'))
  assert.notEqual(secrets.hmac('bc', 'a'), secrets.hmac('c', 'ab'))
  assert.notEqual(secrets.hmac('code', 'a'), secretsOf(randomBytes(32)).hmac('code', 'a'))
})

test('the secret key is created once, readable by its owner alone, even when two processes start together', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-key-'))
  const [one, two] = await Promise.all([loadSecrets(folder), loadSecrets(folder)])
  assert.equal(two.decrypt(one.encrypt('x', 'c'), 'c'), 'x')
  assert.equal((await loadSecrets(folder)).decrypt(one.encrypt('y', 'c'), 'c'), 'y')
  assert.equal((await stat(join(folder, KEY_FILE))).mode & 0o777, 0o600)
  assert.deepEqual(await readdir(folder), [KEY_FILE])
  await rm(folder, { recursive: true })
})

test('a key file with something else in it stops the start and stays as it is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-key-'))
  await writeFile(join(folder, KEY_FILE), 'half a k')
  await assert.rejects(loadSecrets(folder), /secret\.key does not contain a key of 32 bytes/)
  await rm(folder, { recursive: true })
})
