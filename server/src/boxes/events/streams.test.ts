import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ingestReadings } from '#server/ingestion/ingest-readings.ts'
import { listenForTests } from '#server/testing/event-streams.ts'
import { readingAt, shopWithBoxes } from '#server/testing/readings.ts'

/** More at once than this, and the stream cuts its client off. */
const CHUNK = Buffer.from(`:${' '.repeat(500_000)}\n\n`)

test('a stream that ends while its client takes nothing harms nobody, though the box has news', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  const stop = await shop.deps.events.start([shop.deps.boxEvents])
  const url = new URL(`${await listenForTests(shop)}/api/box/BOX-1/events`)
  const [[, response], client] = await Promise.all([
    once(shop.app.server, 'request') as Promise<[unknown, ServerResponse]>,
    lazyClient(url),
  ])
  while (shop.deps.boxEvents.boxes === 0 || !response.headersSent) await sleep(20)
  while (response.writableLength === 0) {
    response.write(CHUNK)
    await sleep(50)
  }
  response.end() // as at the end of its lifetime
  let heard = 0
  const begun = Promise.withResolvers<void>()
  const more = { begin: () => begun.resolve(), reject: begun.reject, send: () => void heard++ }
  shop.deps.boxEvents.add({ boxID: 'BOX-1', from: null, ...more })
  await begun.promise
  for (const i of [0, 1, 2]) {
    assert.deepEqual((await ingestReadings(shop.deps, [{ input: readingAt(i) }])).flat(), ['accepted'])
    while (heard === i) await sleep(20)
  }
  await sleep(20) // an error of a stream comes a turn later
  assert.deepEqual([response.writableFinished, response.destroyed], [false, false], 'the client took nothing')
  client.destroy()
  await stop()
})

/** A client that asks for a stream and reads nothing of it. */
async function lazyClient(url: URL) {
  const client = connect(Number(url.port), url.hostname).pause()
  await once(client, 'connect')
  client.write(`GET ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\n\r\n`)
  return client
}
