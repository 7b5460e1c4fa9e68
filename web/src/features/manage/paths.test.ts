import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Right } from '@befaqt/domain/rights'
import { personPath } from './paths.ts'

const led = (...rights: Right[]) =>
  [true, false].map((buys) =>
    personPath(
      { _id: 'a/1', name: 'Ann Lee', email: 'ann@example.org', role: 'USER', buys },
      { fname: 'Kim', role: 'USER', rights },
    ),
  )

const customer = '/manage/customer/a%2F1'
const user = '/manage/user?q=ann%40example.org'

test('who was found is looked at as a customer where they buy, and else as an account, as far as rights lead', () => {
  assert.deepEqual(led('customer:read', 'user:write'), [customer, user])
  assert.deepEqual(led('user:write'), [user, user])
  assert.deepEqual(led('customer:read'), [customer, customer])
})
