import { checkSummary, type SummaryFound, type SummaryOrder } from './check-summary.ts'
import { type FreshnessSaid, freshnessSaid, type MarketDay } from './freshness-words.ts'

/* Checks summaries beside the page: takes stars that are shown, and answers what is said of them at the port that came with it. */

/** @param shown as `freshnessSaid` takes it */
export type StarsOrder = { order: SummaryOrder; shown: number | null; day: MarketDay }

/** What was found of a box is believed for so long, and then asked for again. */
const KEPT_MS = 120_000

/** What was found of boxes on this visit, what was asked for it, and when. */
const known = new Map<string, { asked: string; found: Promise<SummaryFound>; at: number }>()

self.addEventListener('message', ({ data, ports: [port] }: MessageEvent<StarsOrder>) => {
  void answer(data).then((said) => port?.postMessage(said))
})

/**
 * Where other stars are shown than was known, by what is known now; where the visitor has come to believe other witnesses, or
 * has verified the box since, anew.
 */
async function answer({ order, shown, day }: StarsOrder): Promise<FreshnessSaid> {
  const kept = known.get(order.boxID)
  const asked = JSON.stringify(order)
  if (kept?.asked === asked && kept.at > Date.now() - KEPT_MS) {
    const said = freshnessSaid(await kept.found, shown, day)
    if (said.tone !== 'warn') return said
  }
  const found = checkSummary(order, (url, init) => fetch(url, init))
  known.set(order.boxID, { asked, found, at: Date.now() })
  const result = await found
  if (result.kind === 'unreached') known.delete(order.boxID)
  return freshnessSaid(result, shown, day)
}
