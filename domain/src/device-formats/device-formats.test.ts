import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeRuuvi, ruuviName } from './ruuvi.ts'
import { decodeLht52, NoTemperature, readLorawan, readTive, TiveMessage } from './tracker-messages.ts'

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))
const NOW = new Date('2026-11-20T00:00:00Z')

test('a RuuviTag’s data format 5: the known answer, the ends of the ranges, and what is not measured', () => {
  assert.deepEqual(decodeRuuvi(bytes('0512FC5394C37C0004FFFC040CAC364200CDCBB8334C884F')), {
    temperature: 24.3,
    humidity: 53.49,
    pressure: 100_044,
    battery: 2.977,
    sequence: 205,
    mac: 'CB:B8:33:4C:88:4F',
  })
  const most = decodeRuuvi(bytes('057FFFFFFEFFFE7FFF7FFF7FFFFFDEFEFFFECBB8334C884F'))
  assert.deepEqual(
    [most?.temperature, most?.humidity, most?.pressure, most?.battery, most?.sequence],
    [163.835, 163.835, 115_534, 3.646, 65_534],
  )
  const least = decodeRuuvi(bytes('058001000000008001800180010000000000CBB8334C884F'))
  assert.deepEqual(
    [least?.temperature, least?.humidity, least?.pressure, least?.battery],
    [-163.835, 0, 50_000, 1.6],
  )
  const none = decodeRuuvi(bytes('058000FFFFFFFF800080008000FFFFFFFFFFFFFFFFFFFFFF'))
  assert.deepEqual(
    [none?.temperature, none?.humidity, none?.pressure, none?.battery, none?.sequence],
    [null, null, null, null, null],
  )
  for (const other of ['', '05', '0312FC5394C37C0004FFFC040CAC364200CDCBB8334C884F', `${'05'.repeat(25)}`])
    assert.equal(decodeRuuvi(bytes(other)), null, other)
  const connected = decodeRuuvi(bytes('0512FC5394C37C0004FFFC040CAC364200CD'))
  assert.deepEqual([connected?.temperature, connected?.sequence, connected?.mac], [24.3, 205, null])
  assert.equal(ruuviName('CB:B8:33:4C:88:4F'), 'Ruuvi 884F')
  const inside = bytes(`ffff0512FC5394C37C0004FFFC040CAC364200CDCBB8334C884F`).subarray(2)
  assert.equal(decodeRuuvi(inside)?.temperature, 24.3, 'of a part of a buffer')
})

test('an LHT52: inside and outside, below zero, no probe', () => {
  for (const other of ['', '08CD02200A62FF6915E9', '08CD02200A62FF6915E9D800'])
    assert.equal(decodeLht52(bytes(other)), null, 'a byte less or more')
  assert.equal(decodeLht52(bytes('08CD02200A62FF6915E9D8'))?.outside, 26.58)
  assert.deepEqual(decodeLht52(bytes('08CD0220FF9C016915E9D8')), {
    inside: 22.53,
    humidity: 54.4,
    outside: -1,
    epochS: 0x6915e9d8,
  })
  assert.deepEqual(decodeLht52(bytes('08CD02207FFF016915E9D8'))?.outside, null)
  assert.deepEqual(decodeLht52(bytes('7FFF02208000016915E9D8')), {
    inside: null,
    humidity: 54.4,
    outside: -327.68,
    epochS: 0x6915e9d8,
  })
})

test('Tive: values are kept as they came, and what is missing is named', () => {
  const message = {
    EntityName: 'A571992',
    EntryTimeEpoch: 1_763_596_800_123,
    Temperature: { Celsius: 1.4000000953674316, Fahrenheit: 34.5 },
    Location: { Latitude: -33.86, Longitude: 151.2, FormattedAddress: 'Pyrmont' },
    Battery: { Percentage: 81 },
    Shipment: { Id: 'S-1' },
  }
  assert.deepEqual(readTive(TiveMessage.parse(message)), {
    deviceId: 'A571992',
    name: 'A571992',
    time: '2025-11-20T00:00:00.123Z',
    temperature: 1.4000000953674316,
    latitude: -33.86,
    longitude: 151.2,
    battery: 81,
  })
  const { Location: _l, Battery: _b, ...bare } = message
  const { latitude, longitude, battery } = readTive(TiveMessage.parse(bare))
  assert.deepEqual([latitude, longitude, battery], [0, 0, null])
  const wrong = TiveMessage.safeParse({
    EntityName: '',
    EntryTimeEpoch: 1_763_596_800,
    Temperature: { Celsius: '1' },
  })
  assert.deepEqual(
    wrong.error?.issues.map(({ path }) => path.join('.')),
    ['EntityName', 'EntryTimeEpoch', 'Temperature.Celsius'],
  )
})

test('ChirpStack and The Things Stack: bytes of an LHT52, decoded payloads, other messages, and none of a temperature', () => {
  const at = NOW.getTime() / 1000 - 600
  const uplink = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')
  const lht52 = (outside: string, epochS: number): string =>
    uplink(`08CD0220${outside}01${epochS.toString(16).padStart(8, '0')}`)
  const chirp = (more: object) => ({
    deviceInfo: { devEui: 'A84041FFFF000001', deviceName: 'hold 2' },
    time: '2026-11-19T23:59:59.123456789+00:00',
    fPort: 2,
    ...more,
  })
  const read = readLorawan(chirp({ data: lht52('00C8', at), object: { TempC_DS: 9 } }), NOW)
  assert.deepEqual(read, {
    deviceId: 'a84041ffff000001',
    name: 'hold 2',
    time: '2026-11-19T23:50:00.000Z',
    temperature: 2,
    latitude: 0,
    longitude: 0,
    battery: null,
  })
  const unset = readLorawan(chirp({ data: lht52('7FFF', 77) }), NOW)
  assert.deepEqual([unset?.temperature, unset?.time], [22.53, '2026-11-19T23:59:59.123Z'], 'heard, inside')
  const theThings = (more: object) => ({
    end_device_ids: { device_id: 'hold-2', dev_eui: 'A84041FFFF000001' },
    uplink_message: { f_port: 5, received_at: '2026-11-19T23:59:59Z', ...more },
  })
  const decoded = readLorawan(
    theThings({
      decoded_payload: { TempC_DS: 327.67, TempC_SHT: 3.25 },
      locations: { user: { latitude: -33.5, longitude: 151.5, altitude: 3 } },
      last_battery_percentage: { value: 60, f_cnt: 1 },
    }),
    NOW,
  )
  assert.deepEqual(decoded, {
    deviceId: 'a84041ffff000001',
    name: 'hold-2',
    time: '2026-11-19T23:59:59.000Z',
    temperature: 3.25,
    latitude: -33.5,
    longitude: 151.5,
    battery: 60,
  })
  assert.equal(readLorawan({ end_device_ids: { device_id: 'a' }, join_accept: {} }, NOW), null)
  assert.equal(readLorawan({ ...chirp({}), devAddr: '00000000' }, NOW), null, 'a join')
  for (const none of [
    chirp({ fPort: 3, data: uplink('00') }),
    theThings({ decoded_payload: { temperature: '2' } }),
  ])
    assert.throws(() => readLorawan(none, NOW), NoTemperature)
  const nothing = chirp({ data: uplink('7FFF02207FFF016915E9D8') })
  assert.throws(() => readLorawan(nothing, NOW), NoTemperature)
  for (const bad of [
    null,
    [],
    {},
    chirp({ data: '%' }),
    chirp({ time: 'yesterday' }),
    theThings({ received_at: 1 }),
  ])
    assert.throws(() => readLorawan(bad, NOW), { name: /ZodError/ })
})
