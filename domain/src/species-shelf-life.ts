/** How a species' spoilage grows with temperature. Source: freshness.md §2. */
export type SpoilageKind = 'temperate' | 'tropical'

/** Shelf life on ice of a group of species: data with its source, editable by managers. */
export type ShelfLife = {
  /** Whole days at 0 °C from the catch. */
  daysAt0: number
  source: string
  /** The value is not from a published trial: pages say so. */
  unconfirmed: boolean
}

/** Where the species that form histamine come from. */
export const HISTAMINE_SOURCE =
  'Fish families high in free histidine: FAO/WHO expert meeting on the public health risks of histamine, 2012'

const DEFAULT = 'Default of this project for the group; no trial of the species behind it'
const unconfirmed = (daysAt0: number, source = DEFAULT): ShelfLife => ({ daysAt0, source, unconfirmed: true })

/** Defaults by group. Live shellfish have none: the model does not describe them. Source: content.md. */
export const shelfLifes = {
  cod: { daysAt0: 15, source: 'Whole gutted cod on ice, storage trials', unconfirmed: false },
  'spanish-mackerel': {
    daysAt0: 14,
    source: 'Spanish mackerel on ice, doi 10.1300/J030v07n04_07',
    unconfirmed: false,
  },
  'snapper-and-bream': unconfirmed(14),
  'flathead-and-whiting': unconfirmed(11),
  kingfish: unconfirmed(15),
  trevally: unconfirmed(10),
  mulloway: unconfirmed(12),
  tuna: unconfirmed(12, `${DEFAULT}; histamine limits it`),
  'mackerel-and-sardine': unconfirmed(7),
  prawns: unconfirmed(9),
  'squid-and-octopus': unconfirmed(8),
  salmon: unconfirmed(20),
} as const satisfies Record<string, ShelfLife>

export type ShelfLifeGroup = keyof typeof shelfLifes
