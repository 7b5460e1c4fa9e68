import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfirmTwoFa, ProfileInput, SignUp } from './account.ts'
import { CategoryInput, ImageAlt, ProductInput } from './catalogue.ts'
import { refusedField } from './field-labels.ts'

const said = [
  ['shelfPos', 'shelf position is required', 'shelf position is required'],
  ['twoFaToken', 'the code is wrong or was used before', 'the code is wrong or was used before'],
  ['phone', 'enter valid mobile number', 'enter valid mobile number'],
  ['catImage', 'an image is required', 'an image is required'],
  ['imageAlts[2]', 'has characters that cannot be shown', 'picture has characters that cannot be shown'],
  ['status', 'must be one of ACTIVE, INACTIVE', 'status must be one of ACTIVE, INACTIVE'],
  ['category_id', 'There is no such category (any more).', 'There is no such category (any more).'],
  ['', 'nothing is to be changed', 'nothing is to be changed'],
  ['readings[3].latitude', 'must be a number', 'readings[3].latitude: must be a number'],
] as const

for (const [path, message, words] of said)
  test(`'${message}' of ${path} is shown as '${words}'`, () =>
    assert.equal(refusedField(path, message), words))

test('no form’s message uses a field’s internal name', () => {
  const forms = [ProductInput, CategoryInput, SignUp, ProfileInput, ConfirmTwoFa, ImageAlt]
  const long = 'x'.repeat(10_000)
  const fields = [
    'title',
    'category_id',
    'unit',
    'shelfPos',
    'description',
    'icon',
    'fname',
    'lname',
    'email',
  ]
  const all = Object.fromEntries([...fields, 'phone', 'password', 'twoFaToken'].map((name) => [name, long]))
  for (const [form, values] of forms.flatMap((form) => [[form, {}] as const, [form, all] as const]))
    for (const { path, message } of form.safeParse(form === ImageAlt ? long : values).error?.issues ?? [])
      assert.doesNotMatch(
        refusedField(path.join('.'), message),
        /shelfPos|category_id|fname|lname|twoFaToken|confirmPassword|includeGST|\balt\b/,
      )
})
