import { slugOf, speciesList } from '@befaqt/domain/species'

const pictures = import.meta.glob<string>('../species/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
})

/** Species with a picture, by their standard names. */
const drawn = speciesList.flatMap(({ slug, name }) => {
  const picture = pictures[`../species/${slug}.webp`]
  return picture === undefined ? [] : [{ name, picture }]
})

/** All names that are known, for typing. */
export const speciesNames: readonly string[] = speciesList.map(({ name }) => name)

/** The species with pictures, those that were caught last first. */
export function speciesChoice(recent: readonly string[]) {
  const first = recent.flatMap((name) => drawn.filter((one) => slugOf(one.name) === slugOf(name)))
  return [...new Set([...first, ...drawn])]
}
