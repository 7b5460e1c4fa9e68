import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeName } from './towns.ts'

const market = { name: 'Sydney Fish Market', latitude: -33.8727, longitude: 151.1925 }

test('a place is named by the market, by the nearest port and the way from there, or not at all', () => {
  for (const [latitude, longitude, name] of [
    [-33.873, 151.193, 'Sydney Fish Market'],
    [-29.45, 153.37, 'Yamba'],
    [-29.44, 153.56, '19 km E of Yamba'],
    [-30.2, 153.2, '14 km NE of Coffs Harbour'],
    [-37.3, 149.9, '27 km S of Eden'],
    [-37.81, 144.6, '32 km W of Melbourne'],
    [0.5, 0.5, undefined],
  ] as const)
    assert.equal(placeName({ latitude, longitude }, market), name)
})
