import type { Lacking } from './elements.ts'
import type { EpcisSource } from './events-of-box.ts'

/** The columns of the spreadsheet that the first land-based receiver has to keep. Source: 21 CFR 1.1335. */
export const fsmaColumns = [
  'Traceability lot code',
  'Species',
  'Quantity',
  'Unit of measure',
  'Harvest date',
  'Harvest location',
  'Receiver location',
  'Date landed',
  'Reference document type',
  'Reference document number',
] as const

/**
 * One line of it. What is not recorded is blank, such as the quantity of a box that nobody weighed: what went into it, else
 * what was caught, in kilograms. Of documents of others none is recorded: the proof of the box is what there is to refer to.
 */
export function fsmaLine(
  { box, landedAt, weights }: Pick<EpcisSource, 'box' | 'landedAt' | 'weights'>,
  { receiver, proofUrl }: { receiver: string; proofUrl: string },
): string[] {
  const caught = box.catchProv
  const grams = weights.boxed ?? weights.caught
  const place =
    caught === null || (caught.latitude === 0 && caught.longitude === 0)
      ? ''
      : `${angle(caught.latitude, 'N', 'S')} ${angle(caught.longitude, 'E', 'W')}`
  return [
    box.boxID,
    caught?.species ?? '',
    grams === null ? '' : String(grams / 1_000),
    grams === null ? '' : 'kg',
    caught?.time ?? '',
    place,
    receiver,
    landedAt ?? '',
    'Proof of provenance',
    proofUrl,
  ]
}

/** Without a sign, which spreadsheets take for a formula. */
const angle = (value: number, above: string, below: string): string =>
  `${Math.abs(value)}° ${value < 0 ? below : above}`

/** What a box's document lacks, one text for each element; a step without an event is one. */
export const lackingTexts = (lacking: readonly Lacking[]): string[] =>
  lacking.flatMap(({ step, isRecorded, words }) =>
    isRecorded ? words.map((element) => `${step}: ${element}`) : [`${step}: not recorded`],
  )

/** The columns that a line of the spreadsheet leaves blank. */
export const blankColumns = (line: readonly string[]): string[] =>
  fsmaColumns.filter((_, i) => (line[i] ?? '') === '')

/**
 * What several boxes lack: what is the same for all of them is said once, the rest of each beside it.
 * @param lists texts of each box
 */
export function commonAndOwn(lists: readonly (readonly string[])[]): { common: string[]; own: string[][] } {
  const [first = []] = lists
  const common = first.filter((text) => lists.every((list) => list.includes(text)))
  return { common, own: lists.map((list) => list.filter((text) => !common.includes(text))) }
}
