/** Finds the address of a position. A failure gives a blank: addresses are for convenience, no proof depends on them. */
export type Geocoder = {
  /** Latitude and longitude in degrees (WGS 84). Blank when nothing is known or the provider fails. */
  addressOf(latitude: number, longitude: number): Promise<string>
}
