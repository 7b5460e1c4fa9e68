import { z } from 'zod'
import { mustBe, oneLine } from '../box-values.ts'
import { Charge, type TrackerReading } from './tracker-reading.ts'

const number = z.number(mustBe('a number'))

/** Milliseconds of the years 2000 to 2100: other numbers are no times. */
const Epoch = z
  .int('must be a whole number of milliseconds')
  .min(Date.UTC(2000, 0), 'must be 2000 or later')
  .max(Date.UTC(2100, 0), 'must be before 2100')

/** What is read of a message of Tive's webhook; all else in it is left alone. Source: standards.md. */
export const TiveMessage = z.object(
  {
    EntityName: oneLine(100).min(1, 'must not be empty'),
    EntryTimeEpoch: Epoch,
    Temperature: z.object({ Celsius: number }, mustBe('an object')),
    Location: z.object({ Latitude: number, Longitude: number }, mustBe('an object')).nullish(),
    Battery: z.object({ Percentage: Charge }, mustBe('an object')).nullish(),
  },
  mustBe('an object'),
)

/** The reading of a message; values with the noise that they came with. */
export const readTive = (message: z.infer<typeof TiveMessage>): TrackerReading => ({
  deviceId: message.EntityName,
  name: message.EntityName,
  time: new Date(message.EntryTimeEpoch).toISOString(),
  temperature: message.Temperature.Celsius,
  latitude: message.Location?.Latitude ?? 0,
  longitude: message.Location?.Longitude ?? 0,
  battery: message.Battery?.Percentage ?? null,
})
