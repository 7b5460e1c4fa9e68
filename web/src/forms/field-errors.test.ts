import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ShopError } from '@befaqt/domain/errors'
import { z } from 'zod'
import { ofFields, schemaErrors, serverErrors, withoutField } from './field-errors.ts'

const Form = z.object({
  title: z
    .string()
    .min(3, 'title is too short')
    .regex(/^[a-z]/, 'title must begin with a letter'),
  stock: z.number('stock must be a number'),
})

test('of several errors of a field the first is shown, whether the schema or the server found them', () => {
  const errors = { title: 'title is too short', stock: 'stock must be a number' }
  assert.deepEqual(schemaErrors(Form, { title: '1', stock: 'x' }), errors)
  const fields = [
    { path: 'title', message: 'is taken' },
    { path: 'title', message: 'is odd, too' },
  ]
  assert.deepEqual(serverErrors(new ShopError('input.invalid', 'no', { fields })), { title: 'is taken' })
  assert.deepEqual(serverErrors(new Error('a bug')), {})
})

test('an error is cleared with its field, also where the server reports it under a nested path', () => {
  const errors = { 'data.size': 'a', 'pictures[1]': 'b', sized: 'c', title: 'd' }
  assert.deepEqual(withoutField(errors, 'size'), { 'pictures[1]': 'b', sized: 'c', title: 'd' })
  assert.deepEqual(withoutField(errors, 'pictures'), { 'data.size': 'a', sized: 'c', title: 'd' })
  assert.deepEqual(ofFields(errors, ['title', 'stock']), { title: 'd' })
})
