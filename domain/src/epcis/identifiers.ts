/**
 * Identifiers of GDST until an operator has a company prefix: never a GS1 key that is not ours. `host` is the shop's
 * own, which makes them unique.
 */
export const gdstIds = (host: string) => ({
  lot: (owner: string, species: string, boxID: string) =>
    `urn:gdst:${host}:product:lot:class:${[owner, species, boxID].map(part).join('.')}`,
  place: (owner: string, name: string) => `urn:gdst:${host}:location:loc:${part(owner)}.${part(name)}`,
  party: (name: string) => `urn:gdst:${host}:party:${part(name)}`,
})

/** A text as a part of a URN: a dot ends a part. */
const part = (text: string): string =>
  text === ''
    ? 'unknown'
    : encodeURIComponent(text.toWellFormed()).replace(
        /[.!'()*]/g,
        (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
      )

/** The last part of a URN that `gdstIds` made, or of others like it. */
export function lastPart(urn: string): string | undefined {
  try {
    return (
      decodeURIComponent(urn.slice(Math.max(urn.lastIndexOf(':'), urn.lastIndexOf('.')) + 1)) || undefined
    )
  } catch {
    return undefined
  }
}

/** A position as a URI; undefined where there is none. Source: RFC 5870. */
export const geoUri = ({
  latitude,
  longitude,
}: {
  latitude: number
  longitude: number
}): string | undefined =>
  latitude === 0 && longitude === 0 ? undefined : `geo:${plain(latitude)},${plain(longitude)}`

/** Without an exponent, which these URIs do not have. */
const plain = (value: number): string =>
  /e/.test(String(value)) ? value.toFixed(12).replace(/\.?0{1,12}$/, '') : String(value)
