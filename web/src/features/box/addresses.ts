import type { BoxPageView } from '@befaqt/domain/api/box-api'

/** Street addresses by 'latitude,longitude'. */
export type Addresses = BoxPageView['addresses']

type Somewhere = { latitude?: number | null; longitude?: number | null }

/** The street address of a place; blank where it is not known. Source: spec §8. */
export const addressOf = (addresses: Addresses, { latitude, longitude }: Somewhere): string =>
  addresses[`${latitude},${longitude}`] ?? ''
