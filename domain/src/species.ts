import { type ShelfLifeGroup, type SpoilageKind, shelfLifes } from './species-shelf-life.ts'

/** A species by its Australian standard fish name. `group` is null when no shelf life applies. */
export type Species = {
  slug: string
  name: string
  scientificName: string
  kind: SpoilageKind
  group: ShelfLifeGroup | null
  /** Bacteria make histamine of its flesh where it gets warm, and cooking does not remove it. */
  formsHistamine: boolean
}

type Row = readonly [name: string, scientificName: string, kind: SpoilageKind, group: ShelfLifeGroup | null]

/** Names: Australian Fish Names Standard AS 5300. Kinds follow the water a species lives in. */
const rows: readonly Row[] = [
  ['Snapper', 'Chrysophrys auratus', 'temperate', 'snapper-and-bream'],
  ['Yellowfin Bream', 'Acanthopagrus australis', 'temperate', 'snapper-and-bream'],
  ['Dusky Flathead', 'Platycephalus fuscus', 'temperate', 'flathead-and-whiting'],
  ['Tiger Flathead', 'Platycephalus richardsoni', 'temperate', 'flathead-and-whiting'],
  ['Sand Whiting', 'Sillago ciliata', 'temperate', 'flathead-and-whiting'],
  ['Yellowtail Kingfish', 'Seriola lalandi', 'temperate', 'kingfish'],
  ['Yellowfin Tuna', 'Thunnus albacares', 'tropical', 'tuna'],
  ['Bigeye Tuna', 'Thunnus obesus', 'tropical', 'tuna'],
  ['Albacore', 'Thunnus alalunga', 'temperate', 'tuna'],
  ['Spanish Mackerel', 'Scomberomorus commerson', 'tropical', 'spanish-mackerel'],
  ['Blue Mackerel', 'Scomber australasicus', 'temperate', 'mackerel-and-sardine'],
  ['Australian Sardine', 'Sardinops sagax', 'temperate', 'mackerel-and-sardine'],
  ['Atlantic Salmon', 'Salmo salar', 'temperate', 'salmon'],
  ['Atlantic Cod', 'Gadus morhua', 'temperate', 'cod'],
  ['Eastern King Prawn', 'Melicertus plebejus', 'temperate', 'prawns'],
  ['School Prawn', 'Metapenaeus macleayi', 'temperate', 'prawns'],
  ['Southern Calamari', 'Sepioteuthis australis', 'temperate', 'squid-and-octopus'],
  ['Arrow Squid', 'Nototodarus gouldi', 'temperate', 'squid-and-octopus'],
  ['Octopus', 'Octopus tetricus', 'temperate', 'squid-and-octopus'],
  ['Cuttlefish', 'Sepia apama', 'temperate', 'squid-and-octopus'],
  ['Mulloway', 'Argyrosomus japonicus', 'temperate', 'mulloway'],
  ['John Dory', 'Zeus faber', 'temperate', null],
  ['Mirror Dory', 'Zenopsis nebulosa', 'temperate', null],
  ['Mahi Mahi', 'Coryphaena hippurus', 'tropical', null],
  ['Silver Trevally', 'Pseudocaranx georgianus', 'temperate', 'trevally'],
  ['Tailor', 'Pomatomus saltatrix', 'temperate', null],
  ['Eastern Sea Garfish', 'Hyporhamphus australis', 'temperate', null],
  ['Blue-eye Trevalla', 'Hyperoglyphe antarctica', 'temperate', null],
  ['Ocean Jacket', 'Nelusetta ayraud', 'temperate', null],
  ['Balmain Bug', 'Ibacus peronii', 'temperate', null],
  ['Mud Crab', 'Scylla serrata', 'tropical', null],
  ['Blue Swimmer Crab', 'Portunus armatus', 'temperate', null],
  ['Spanner Crab', 'Ranina ranina', 'tropical', null],
  ['Eastern Rock Lobster', 'Sagmariasus verreauxi', 'temperate', null],
  ['Sydney Rock Oyster', 'Saccostrea glomerata', 'temperate', null],
  ['Pacific Oyster', 'Magallana gigas', 'temperate', null],
  ['Blue Mussel', 'Mytilus galloprovincialis', 'temperate', null],
  ['Pipi', 'Donax deltoides', 'temperate', null],
]

/** Of the families Scombridae, Carangidae, Clupeidae, Pomatomidae and Coryphaenidae. Source: `HISTAMINE_SOURCE`. */
const formsHistamine: ReadonlySet<string> = new Set([
  'Yellowfin Tuna',
  'Bigeye Tuna',
  'Albacore',
  'Tuna',
  'Spanish Mackerel',
  'Blue Mackerel',
  'Mackerel',
  'Yellowtail Kingfish',
  'Silver Trevally',
  'Australian Sardine',
  'Tailor',
  'Mahi Mahi',
])

/** 'Blue-eye Trevalla' → 'blue-eye-trevalla'. */
export const slugOf = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const speciesOf = ([name, scientificName, kind, group]: Row): Species => ({
  slug: slugOf(name),
  name,
  scientificName,
  kind,
  group,
  formsHistamine: formsHistamine.has(name),
})

export const speciesList: readonly Species[] = rows.map(speciesOf)

/**
 * Names of several species that share their group's shelf life, as fishers and their loggers write them. Of a group with
 * species of both kinds the kind that spoils faster above 0 °C, and of two shelf lives the shorter one.
 */
const groupNames: readonly Row[] = [
  ['Bream', 'Sparidae', 'temperate', 'snapper-and-bream'],
  ['Flathead', 'Platycephalidae', 'temperate', 'flathead-and-whiting'],
  ['Whiting', 'Sillaginidae', 'temperate', 'flathead-and-whiting'],
  ['Tuna', 'Thunnus', 'temperate', 'tuna'],
  ['Mackerel', 'Scombridae', 'temperate', 'mackerel-and-sardine'],
]

/** Common names of one species, where no other is sold under them. */
const commonNames: Readonly<Record<string, string>> = {
  kingfish: 'yellowtail-kingfish',
  trevally: 'silver-trevally',
  jewfish: 'mulloway',
  sardine: 'australian-sardine',
  dolphinfish: 'mahi-mahi',
}

const byName = new Map(
  [...speciesList, ...groupNames.map(speciesOf)].flatMap((species) => [
    [species.slug, species],
    [slugOf(species.scientificName), species],
  ]),
)

/** The species of a typed name: standard, common or scientific, or of a group; case and spaces ignored. */
export function speciesNamed(name: string): Species | undefined {
  const slug = slugOf(name)
  return byName.get(Object.hasOwn(commonNames, slug) ? (commonNames[slug] ?? slug) : slug)
}

/** Default shelf life of a species; undefined when the model does not apply. */
export const shelfLifeOf = (species: Species) =>
  species.group === null ? undefined : shelfLifes[species.group]
