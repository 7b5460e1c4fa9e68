import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyRights } from '@befaqt/domain/rights'
import { KeyForm, rightWords } from './key-form.ts'

test('checkboxes become rights, and lines or commas separate box ids', () => {
  const typed = { name: ' Buoy 7 ', 'record:write': 'on', 'box:write': 'on', boxes: 'BX-1, BX-2\n\nBX-3 ' }
  assert.deepEqual(KeyForm.parse(typed), {
    name: 'Buoy 7',
    rights: ['box:write', 'record:write'],
    boxes: ['BX-1', 'BX-2', 'BX-3'],
  })
  assert.deepEqual(KeyForm.parse({ name: 'x', 'user:write': 'on', boxes: ' ' }), {
    name: 'x',
    rights: ['user:write'],
  })
})

test('missing or invalid values are reported at their field', () => {
  const paths = (typed: unknown) => KeyForm.safeParse(typed).error?.issues.map(({ path }) => path[0])
  assert.deepEqual(paths({ name: '', boxes: '' }), ['name', 'rights'])
  assert.deepEqual(paths({ name: 'x', 'box:write': 'on', boxes: 'BX/1' }), ['boxes'])
})

test('every right is explained', () => assert.deepEqual(Object.keys(rightWords), [...keyRights]))
