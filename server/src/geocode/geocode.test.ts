import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import pino from 'pino'
import { gazetteer, providerGeocoder } from './geocode.ts'

test('the gazetteer names a town, how far and which way, and nothing in mid-ocean', async () => {
  assert.match(await gazetteer.addressOf(-30.2963, 153.1135), /^Coffs Harbour, New South Wales, Australia$/)
  assert.match(
    await gazetteer.addressOf(-30.3, 153.45),
    /^\d+ km (south-)?east of .*, New South Wales, Australia$/,
  )
  assert.equal(await gazetteer.addressOf(0, -140), '')
})

test('a geocoding provider is called once per place; its failure leaves the address blank', async () => {
  let asked = 0
  const server = createServer((request, response) => {
    asked++
    const bad = request.url?.includes('latlng=1%2C1')
    const results = [{ formatted_address: '1 Bank Street, Pyrmont' }]
    response.end(JSON.stringify(bad ? { status: 'REQUEST_DENIED' } : { status: 'OK', results }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const geocoder = providerGeocoder(`http://127.0.0.1:${port}/geocode`, 'k', pino({ level: 'silent' }))
  assert.equal(await geocoder.addressOf(-33.87, 151.19), '1 Bank Street, Pyrmont')
  assert.equal(await geocoder.addressOf(-33.87, 151.19), '1 Bank Street, Pyrmont')
  assert.equal(asked, 1)
  assert.equal(await geocoder.addressOf(1, 1), '')
  server.close()
  server.closeAllConnections()
  assert.equal(
    await providerGeocoder('http://127.0.0.1:9', undefined, pino({ level: 'silent' })).addressOf(1, 2),
    '',
  )
})
