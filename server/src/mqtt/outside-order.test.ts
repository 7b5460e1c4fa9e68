import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import { boxes } from '#server/db/schema/boxes.ts'
import { nextMessage, publishAcknowledged, published, refusedOf, trackingOf } from '#server/testing/mqtt.ts'
import { connectedShop } from '#server/testing/outside-broker.ts'

test('a damaged box affects nobody else: its reading is rejected, and the connection stays open', async () => {
  await using connected = await connectedShop(['BOX-1', 'BOX-2'])
  const { shop, outside, shopProcess } = connected
  await shop.deps.db.update(boxes).set({ head: 'no hash' }).where(eq(boxes.id, 'BOX-2'))
  const device = await outside.device()
  await device.subscribeAsync('befaqt/+/refused', { qos: 1 })
  const told = nextMessage(device)
  await Promise.all(
    ['BOX-2', 'BOX-1'].map((box) => publishAcknowledged(device, trackingOf(box), published(0))),
  )
  const { topic, said } = await told
  assert.equal(topic, refusedOf('BOX-2'))
  assert.match(said.refused[0]?.message ?? '', /damaged/)
  await publishAcknowledged(device, trackingOf('BOX-1'), published(1))
  while (shopProcess.ingestion.counts.accepted < 2) await new Promise(setImmediate)
  assert.match(shopProcess.log(), /"box":"BOX-2".*a box is damaged/)
  assert.equal(
    shopProcess.log().match(/subscribed to readings at the MQTT broker/g)?.length,
    1,
    'connected once',
  )
  device.end(true)
})

test('a rejection has reached the broker before its message is acknowledged, and later messages wait for it', async () => {
  const [refusing, safe] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const beforeTaking = async (topic: string): Promise<void> => {
    if (!topic.endsWith('/refused')) return
    refusing.resolve()
    await safe.promise
  }
  await using connected = await connectedShop(['BOX-1'], { beforeTaking })
  const { outside, shopProcess } = connected
  const acknowledged = outside.acknowledgements()
  const device = await outside.device()
  const payloads = [published(0), 'no reading', published(1), published(2)]
  for (const payload of payloads) await publishAcknowledged(device, trackingOf('BOX-1'), payload)
  await refusing.promise
  while (shopProcess.ingestion.counts.accepted < 3) await new Promise(setImmediate)
  for (let i = 0; i < 20; i++) await device.unsubscribeAsync('x') // twenty times there and back
  assert.deepEqual(acknowledged, payloads.slice(0, 1))
  safe.resolve()
  while (acknowledged.length < payloads.length) await new Promise(setImmediate)
  assert.deepEqual(acknowledged, payloads)
  device.end(true)
})

test('a flood of rejected readings does not keep the shop from receiving acknowledgements of its rejections', async () => {
  await using connected = await connectedShop(['BOX-1'])
  const { outside, shopProcess } = connected
  const acknowledged = outside.acknowledgements()
  const device = await outside.device()
  for (let i = 0; i < 3_000; i++) device.publish(trackingOf('BOX-1'), `no reading ${i}`, { qos: 0 })
  await publishAcknowledged(device, trackingOf('BOX-1'), published(0))
  while (acknowledged.length === 0) await new Promise(setImmediate)
  assert.equal(shopProcess.ingestion.counts.accepted, 1)
  device.end(true)
})
