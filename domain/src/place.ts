/** 'at sea', 'on the road', 'at market': by the newest position; 'sealed' ends a history. */
export const boxStages = ['registered', 'at sea', 'on the road', 'at market', 'sealed'] as const
export type BoxStage = (typeof boxStages)[number]

/** Within this of the market's place a box has arrived. */
export const AT_MARKET_KM = 2

/** A position in degrees. */
export type Place = { latitude: number; longitude: number }

/** Where orders are picked up. `address`: street and town, where the shop states them. */
export type PickUpPlace = Place & { name: string; address?: string | undefined }

/** 'Sydney Fish Market, Bank Street, Pyrmont NSW 2009'. */
export const pickUpText = ({ name, address }: Pick<PickUpPlace, 'name' | 'address'>): string =>
  address === undefined ? name : `${name}, ${address}`

/** A place on the map of OpenStreetMap, with a pin. */
export const mapLink = ({ latitude, longitude }: Place): string =>
  `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`

const EARTH_RADIUS_KM = 6371.0088
const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Great-circle distance in km on the mean sphere (haversine), accurate to 0.5 %. */
export function kilometres(a: Place, b: Place): number {
  const half = (x: number, y: number): number => Math.sin(radians(y - x) / 2) ** 2
  const chord =
    half(a.latitude, b.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * half(a.longitude, b.longitude)
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)))
}
