import type { BoxPageView } from '@befaqt/domain/api/box-api'

/** A score or confidence from 0 to 1 to two decimals; blank where there is none. */
export const fraction = (value: number | null | undefined): string =>
  typeof value === 'number' ? value.toFixed(2) : ''

/** A share from 0 to 1 in whole percent; blank where there is none. */
export const percent = (value: number | null | undefined): string =>
  typeof value === 'number' ? `${Math.round(value * 100)} %` : ''

/** Days to one decimal, without '.0'. */
export const days = (value: number): string => String(Math.round(value * 10) / 10)

/** '6–8 days', or one figure where both ends are the same. */
export const daysRange = (low: number, high: number): string =>
  days(low) === days(high) ? `${days(high)} days` : `${days(low)}–${days(high)} days`

/** Street addresses by 'latitude,longitude'. */
export type Addresses = BoxPageView['addresses']

type Somewhere = { latitude?: number | null; longitude?: number | null }

/** The street address of a place; blank where it is not known. Source: spec §8. */
export const addressOf = (addresses: Addresses, { latitude, longitude }: Somewhere): string =>
  addresses[`${latitude},${longitude}`] ?? ''

/**
 * Each item with a key of its own, `keyOf` and which of the equal ones it is: results of one operator in one second are
 * no less two. Stable as long as items are only added at the end, as records are.
 */
export function withUniqueKeys<T>(items: readonly T[], keyOf: (item: T) => string): [key: string, item: T][] {
  const seen = new Map<string, number>()
  return items.map((item) => {
    const key = keyOf(item)
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    return [`${key} ${count}`, item]
  })
}
