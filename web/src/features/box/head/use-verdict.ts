import { usePageCheck } from '../check/page-check.tsx'
import {
  otherBoxLine,
  otherFileLine,
  type VerdictLine,
  type VerdictTone,
  verdictLine,
} from '../check/verdict-line.ts'

/** Of a page that shows what was proven. */
export const provenTones: ReadonlySet<VerdictTone> = new Set(['good', 'own', 'waiting'])

/** The verdict on the page that this stands on: its box, its records, its files. */
export function useVerdict(): VerdictLine {
  const { shop, page, boxID, files } = usePageCheck()
  const shown = page.view.box.boxID
  if (shown !== boxID) return otherBoxLine(shown, boxID)
  const line = verdictLine(shop, boxID)
  const isOther = shop.phase === 'done' && [...files.values()].some(({ state }) => state === 'differs')
  return isOther && line.tone !== 'bad' ? otherFileLine : line
}
