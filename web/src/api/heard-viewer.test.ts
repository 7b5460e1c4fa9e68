import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { hearOtherTabs, tellOtherTabs } from './heard-viewer.ts'

test('a tab hears what others tell, and never itself: it would load its page again while it goes elsewhere', async () => {
  using tabs = new DisposableStack()
  const heard: string[] = []
  const changed = Promise.withResolvers<void>()
  const stop = hearOtherTabs((told) => {
    heard.push(told)
    if (told === 'changed') changed.resolve()
  })
  tabs.defer(stop)
  const other = tabs.adopt(new BroadcastChannel('befaqt-viewer'), (channel) => channel.close())
  const arrived = once(other, 'message')
  tellOtherTabs('left')
  await arrived
  other.postMessage('changed')
  await changed.promise
  assert.deepEqual(heard, ['changed'])
  stop()
  const again = once(other, 'message')
  tellOtherTabs('changed')
  await again
})
