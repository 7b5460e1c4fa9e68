import type { Place } from '../place.ts'
import { slugOf, speciesNamed } from '../species.ts'

// Codes that documents of the trade ask for and nobody types: they follow from what a record says, and are marked as
// computed. What is not certain has no code.

/** Codes of species by their scientific name. Source: FAO ASFIS List of Species for Fishery Statistics Purposes, three letters. */
const asfis: Readonly<Record<string, string>> = {
  'Chrysophrys auratus': 'GSU',
  'Coryphaena hippurus': 'DOL',
  'Gadus morhua': 'COD',
  'Hyperoglyphe antarctica': 'BWA',
  'Magallana gigas': 'OYG',
  'Mytilus galloprovincialis': 'MSM',
  'Pomatomus saltatrix': 'BLU',
  'Salmo salar': 'SAL',
  'Scomber australasicus': 'MAA',
  'Scomberomorus commerson': 'COM',
  'Scylla serrata': 'MUD',
  'Seriola lalandi': 'YTC',
  'Thunnus alalunga': 'ALB',
  'Thunnus albacares': 'YFT',
  'Thunnus obesus': 'BET',
  'Zeus faber': 'JOD',
}

/** The ASFIS code of a typed name; undefined for a name of several species, and where we don't know it. */
export const asfisCode = (species: string): string | undefined =>
  asfis[speciesNamed(species)?.scientificName ?? '']

/**
 * Codes of fishing gear by what fishers call it. Source: FAO ISSCFG, revision of 2016. Nets have none: they are gillnets,
 * seines or others.
 */
const gears: Readonly<Record<string, string>> = {
  line: 'LX',
  lines: 'LX',
  handline: 'LHP',
  troll: 'LTL',
  trolling: 'LTL',
  longline: 'LL',
  trawl: 'TX',
  trap: 'FIX',
  traps: 'FIX',
  pot: 'FPO',
  pots: 'FPO',
  gillnet: 'GEN',
  'purse-seine': 'PS',
  dive: 'MDV',
  diving: 'MDV',
}

/** The ISSCFG code of a typed method; undefined where it says too little. */
export const gearCode = (method: string): string | undefined => {
  const name = slugOf(method)
  return Object.hasOwn(gears, name) ? gears[name] : undefined
}

type Rectangle = readonly [south: number, north: number, west: number, east: number]

/**
 * Parts of FAO's major fishing areas around Australia, well within their borders: near one the area stays open. Source:
 * FAO Major Fishing Areas for Statistical Purposes.
 */
const areas: readonly (readonly [area: string, ...parts: Rectangle[]])[] = [
  ['57', [-54.9, -9, 80.1, 128.9], [-54.9, -31, 128.9, 149.5]],
  ['71', [-24.9, -9, 129.1, 174.9]],
  ['81', [-59.9, -28.5, 150.1, 180], [-59.9, -25.1, -180, -120.1]],
]

/** FAO's major fishing area of a place; undefined without one, near a border, and beyond those we know. */
export const faoArea = ({ latitude, longitude }: Place): string | undefined =>
  latitude === 0 && longitude === 0
    ? undefined
    : areas.find(([, ...parts]) =>
        parts.some(
          ([south, north, west, east]) =>
            latitude >= south && latitude <= north && longitude >= west && longitude <= east,
        ),
      )?.[0]
