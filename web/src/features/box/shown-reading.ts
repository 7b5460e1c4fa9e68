import type { Place } from '@befaqt/domain/distance'
import { type TemperatureBand, temperatureText } from '@befaqt/domain/tracking'

/** Temperature bands of spec §9, in words. */
export type Band = TemperatureBand['word']

/** A tracking entry as the page shows it everywhere: on the map, in the charts and in the table. */
export type ShownReading = {
  /** Tells it from every other reading of the box. */
  key: string
  /** Milliseconds since 1970. */
  at: number
  /** Market date and HH:MM. */
  date: string
  clock: string
  /** Degrees Celsius, two decimals. */
  temperature: number
  band: Band
  sensor: string
  /** Where it is listed: a position that was lost repeats the last one known. Null before the first. */
  place: Place | null
  /** Where it is on the map; null when the entry itself has no position. */
  spot: Place | null
}

/** '2.31 °C', with a real minus sign. */
export const degrees = (temperature: number): string => `${temperatureText(temperature).replace('-', '−')} °C`

/** '-33.12345, 151.20000' as the panels list places. */
export const coordinates = ({ latitude, longitude }: Place): string =>
  `${latitude.toFixed(5)} / ${longitude.toFixed(5)}`.replaceAll('-', '−')

/** One reading in a sentence, for who hears the page. */
export const readingWords = ({ date, clock, temperature, band, place }: ShownReading): string =>
  `${date} ${clock}, ${degrees(temperature)}, ${band}${place ? `, at ${coordinates(place)}` : ''}`
