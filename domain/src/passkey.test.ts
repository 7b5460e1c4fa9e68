import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PasskeySignIn } from './passkey.ts'

const acceptsId = (id: string): boolean => {
  const error = PasskeySignIn.safeParse({ response: { id } }).error
  return !error?.issues.some(({ path }) => path.join('.') === 'response.id')
}

test('bytes in base64url are read as their encoder writes them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), (bytes) =>
      assert.ok(acceptsId(Buffer.from(bytes).toString('base64url'))),
    ),
  )
})

test('any other text is refused: another alphabet, padding, spaces, bits left over', () => {
  const characters = fc.constantFrom(...'ABQgwxyz0189-_', '+', '/', '=', ' ', '\n', 'é', '\u0000')
  fc.assert(
    fc.property(fc.string({ unit: characters, minLength: 1, maxLength: 9 }), (text) =>
      assert.equal(acceptsId(text), Buffer.from(text, 'base64url').toString('base64url') === text),
    ),
  )
})
