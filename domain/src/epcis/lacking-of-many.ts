import type { Lacking } from './elements.ts'
import { fsmaColumns } from './fsma.ts'

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
