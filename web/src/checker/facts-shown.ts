import type { CatchProv } from '@befaqt/domain/box'
import { isPlaced } from '@befaqt/domain/box-metrics'
import { coldChainMark } from '@befaqt/domain/cold-chain'
import { durationText } from '@befaqt/domain/duration-text'
import { tenths } from '@befaqt/domain/freshness-word'
import { momentText } from '@befaqt/domain/moment-text'
import { speciesNamed } from '@befaqt/domain/species'
import { temperatureText } from '@befaqt/domain/tracking'
import { type Child, el, some } from './dom.ts'
import { placeText, temperatureChart, trackMap } from './drawings.ts'
import type { Facts } from './facts.ts'

/** Rows of a table that are there at once; the list of records has all. */
const ROWS = 200

/** The facts of a box, drawn here from its records. Texts are as their records have them. */
export function factsShown(facts: Facts, timeZone: string): HTMLElement {
  return el(
    'div',
    { class: 'facts' },
    ...(facts.recall === null
      ? []
      : [el('p', { class: 'note bad' }, el('b', {}, 'Recalled. '), facts.recall.reason)]),
    ...(facts.isSample
      ? [el('p', { class: 'note' }, 'Its registration says that this is an invented sample.')]
      : []),
    catchList(facts, timeZone),
    ...temperatures(facts, timeZone),
    ...positions(facts, timeZone),
    ...hands(facts, timeZone),
  )
}

function catchList(facts: Facts, timeZone: string): HTMLElement {
  const { caught, fisher, metrics } = facts
  const species = caught === null ? undefined : speciesNamed(caught.species)
  const best = metrics.timeLeft?.bestBy
  return el(
    'dl',
    {},
    ...row(
      'Species',
      caught && [caught.species, ...(species ? [el('i', {}, ` ${species.scientificName}`)] : [])],
    ),
    ...row('Caught', caught && [momentText(caught.time, timeZone) || caught.time]),
    ...row('Method', caught && [caught.method]),
    ...row('Area', caught && [areaText(caught)]),
    ...row('Size', caught && [textOf(caught.size)]),
    ...row('Weight', [facts.weight]),
    ...row('Vessel', [caught?.boat || fisher?.boat || '']),
    ...row('Fisher', fisher && [[fisher.traderName, fisher.companyName].filter(Boolean).join(', ')]),
    ...row('Port of landing', ['in no record']),
    ...row('Note', caught && [textOf(caught.note)]),
    ...row('Best by', [
      best
        ? `${momentText(best.at, timeZone)}, between ${momentText(best.low, timeZone)} and ${momentText(best.high, timeZone)}: computed here from the readings`
        : (metrics.timeLeftWhyNot ?? 'not known: no readings'),
    ]),
    ...row('Freshness index', [
      metrics.freshnessIndex === null
        ? 'none recorded'
        : `${metrics.freshnessIndex.toFixed(2)}, the newest of ${facts.assessments} recorded (0 is fresh, 1 is used up)`,
    ]),
    ...row('State', [facts.sealed ? 'closed: nothing can follow' : 'open: more records may follow']),
  )
}

/** A value that may be typed as text or as a number; '' of anything else, which a record may hold too. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

function areaText(caught: CatchProv): string {
  const code = [caught.locationCodeLat, caught.locationCodeLong].map(textOf).filter(Boolean).join(' ')
  return [isPlaced(caught) ? placeText(caught) : '', code].filter(Boolean).join(', recorded as ')
}

function row(name: string, value: readonly Child[] | null): HTMLElement[] {
  if (value === null) return [el('dt', {}, name), el('dd', {}, 'not recorded')]
  return [el('dt', {}, name), el('dd', {}, ...(value.some((part) => part !== '') ? value : ['not recorded']))]
}

function temperatures({ readings, metrics: { coldChain, lastMeasured } }: Facts, timeZone: string): Child[] {
  const chart = temperatureChart(readings, timeZone)
  if (coldChain === null) return [el('h3', {}, 'Cold chain'), el('p', {}, 'No temperatures are recorded.')]
  const mark = {
    cold: 'Stayed at or below 5 °C.',
    warmed: 'Was above 5 °C.',
    silent: 'No reading above 5 °C, but the sensor was silent for a while.',
  }
  const facts = [
    `Warmest ${tenths(coldChain.highest)}, ${momentText(coldChain.highestAt, timeZone)}.`,
    ...(coldChain.minutesAbove5 > 0
      ? [`Above 5 °C for ${durationText(coldChain.minutesAbove5)} in all.`]
      : []),
    ...(coldChain.minutesToCold === null
      ? []
      : [`Cold ${durationText(coldChain.minutesToCold)} after the catch.`]),
    ...(coldChain.longestSilenceMinutes === null
      ? []
      : [`Longest time between two readings: ${durationText(coldChain.longestSilenceMinutes)}.`]),
    ...(lastMeasured === null
      ? []
      : [
          `Last ${tenths(lastMeasured.temperature)}, ${momentText(lastMeasured.at, timeZone)}${lastMeasured.isProbe ? ', by a probe' : ''}.`,
        ]),
  ]
  return [
    el('h3', {}, 'Cold chain'),
    el('p', {}, el('b', {}, mark[coldChainMark(coldChain)]), ` ${facts.join(' ')}`),
    chart,
    chart &&
      el(
        'p',
        { class: 'muted' },
        'Degrees Celsius; the dashed line is the limit of 5 °C. Grey: no reading for longer than usual.',
      ),
  ]
}

function positions({ readings, caught }: Facts, timeZone: string): Child[] {
  const stops = [
    ...(caught !== null && isPlaced(caught) ? [{ ...caught, temperature: null }] : []),
    ...readings.filter(isPlaced),
  ]
  const map = trackMap(stops)
  if (map === null) return [el('h3', {}, 'Positions'), el('p', {}, 'No positions are recorded.')]
  const shown = evenly(stops, ROWS)
  return [
    el('h3', {}, 'Positions'),
    map,
    el(
      'p',
      { class: 'muted' },
      'Ring: the first position; dot: the last. The coast is a rough outline that this file carries; it is in no record.',
    ),
    el(
      'details',
      {},
      el(
        'summary',
        {},
        shown.length < stops.length
          ? `${shown.length} of ${some(stops.length, 'position')}, in even steps`
          : some(stops.length, 'position'),
      ),
      el(
        'div',
        { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Positions' },
        el(
          'table',
          {},
          el(
            'thead',
            {},
            el('tr', {}, ...['Time', 'Position', '°C'].map((name) => el('th', { scope: 'col' }, name))),
          ),
          el(
            'tbody',
            {},
            ...shown.map((stop) =>
              el(
                'tr',
                {},
                el('td', {}, momentText(stop.time, timeZone) || stop.time),
                el('td', {}, placeText(stop)),
                el('td', {}, stop.temperature === null ? 'catch' : temperatureText(stop.temperature)),
              ),
            ),
          ),
        ),
      ),
    ),
  ]
}

function evenly<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all]
  const step = (all.length - 1) / (most - 1)
  return Array.from({ length: most }, (_, i) => all[Math.round(i * step)]).filter((one) => one !== undefined)
}

function hands({ handovers }: Facts, timeZone: string): Child[] {
  if (handovers.length === 0) return []
  return [
    el('h3', {}, 'Changes of hands'),
    el(
      'ul',
      {},
      ...handovers
        .slice(0, ROWS)
        .map(({ at, from, to, accepted, temperature }) =>
          el(
            'li',
            {},
            `${momentText(at, timeZone) || at}: ${from} to ${to}, ${accepted ? 'accepted' : 'refused'}${temperature === null ? '' : `, ${tenths(temperature)} in the fish`}.`,
          ),
        ),
    ),
  ]
}
