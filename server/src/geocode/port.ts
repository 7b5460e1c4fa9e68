/** Finds an address for a place. Failures are blanks: an address is a comfort, never a proof. */
export type Geocoder = {
  /** Latitude and longitude in degrees (WGS 84). Blank when nothing is known or the provider fails. */
  addressOf(latitude: number, longitude: number): Promise<string>
}
