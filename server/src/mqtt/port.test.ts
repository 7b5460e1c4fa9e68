import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boxOfTopic } from './port.ts'

test('a topic has a valid box id, and no other kind of topic has one', () => {
  assert.equal(boxOfTopic('befaqt/BOX-1/tracking', 'tracking'), 'BOX-1')
  assert.equal(boxOfTopic('befaqt/BOX-1/refused', 'refused'), 'BOX-1')
  for (const topic of [
    'befaqt/BOX-1/refused',
    'befaqt/+/tracking',
    'befaqt//tracking',
    'befaqt/a b/tracking',
    'x',
  ])
    assert.equal(boxOfTopic(topic, 'tracking'), undefined, topic)
})
