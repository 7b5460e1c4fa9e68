import type { CheckState } from './check-state.ts'
import type { VerdictLine } from './verdict-line.ts'

/**
 * What a saved proof says beside the history that this page has proven: that they are two histories of one box, or that
 * the page's continues an older file. null where the file alone says more, or the page has proven nothing.
 * Source: protocol §6, Two bundles.
 */
export function fileBesidePage(file: CheckState, shop: CheckState): VerdictLine | null {
  if (file.phase !== 'done' || shop.phase !== 'done' || file.source.from !== 'file') return null
  const [kept, shown] = [file.result, shop.result]
  const isBroken = kept.verdict === 'broken' || kept.verdict === 'unreachable' || kept.records.length === 0
  if (kept.box === null || kept.box !== shown.box || isBroken || !isProven(shop)) return null
  const other = kept.records.findIndex(({ recordHash }, i) => {
    const same = shown.records[i]?.recordHash
    return same !== undefined && same !== recordHash
  })
  if (other !== -1)
    return {
      tone: 'bad',
      title: 'Another history',
      message: `Record ${other + 1} of this file is not the one that this page shows. One box has two histories: keep the file, and ask the seller.`,
    }
  const count = kept.records.length
  if (kept.verdict !== 'incomplete' || count > shown.records.length) return null
  return {
    tone: shop.asked.grade === 'other' ? 'good' : 'own',
    title: 'Continued',
    message: `The ${count} records of this file are the first of the ${shown.records.length} that this page has proven. None of them was changed or removed since.`,
  }
}

const isProven = ({ result, memory }: Extract<CheckState, { phase: 'done' }>): boolean =>
  (result.verdict === 'verified' || result.verdict === 'verified-up-to') && memory?.forked !== true
