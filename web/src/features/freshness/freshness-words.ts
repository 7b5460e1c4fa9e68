import { stars } from '@befaqt/domain/freshness-word'
import { momentOf } from '@befaqt/domain/moment-text'
import type { SummaryResult } from '@befaqt/provenance/verify-summary'
import type { SummaryFound } from './check-summary.ts'

/**
 * What stands beside stars. `own`: what the shop shows fits its own log; `good`: witnesses that the visitor named vouch for
 * that; `warn`, `bad`: in the place of what was shown. `shop`: its word alone, which stands there already; the text follows it.
 */
export type FreshnessSaid = { tone: 'shop' | 'own' | 'good' | 'warn' | 'bad'; text: string }

/** Today's date in market time, `YYYY-MM-DD`, and the market's zone. */
export type MarketDay = { today: string; timeZone: string }

/**
 * What a check found of stars that are shown, in the words of the box page: what nobody else vouches for is never called
 * more than the shop's own.
 * @param shown how many stars there are, of 5; null: others are drawn than named
 */
export function freshnessSaid(
  found: SummaryFound,
  shown: number | null,
  { today, timeZone }: MarketDay,
): FreshnessSaid {
  if (found.kind === 'none') return { tone: 'shop', text: '' }
  if (found.kind === 'unreached') return { tone: 'shop', text: '; not checked: no connection' }
  const { freshness, log } = found.result
  if (freshness === null)
    return { tone: 'bad', text: 'Freshness not shown: what the shop sent does not prove it.' }
  if (freshness.isRecalled) return { tone: 'bad', text: 'Freshness not shown: its records recall this box.' }
  const until = momentText(log.time, timeZone, today)
  const proven = stars(freshness.index)
  if (proven !== shown) {
    const known = proven === null ? 'its records have none' : `its records have ${proven} of 5`
    const those = shown === null ? 'Drawn with other stars than named' : `Shown with ${shown} stars`
    return { tone: 'warn', text: `${those}; ${known}, to ${until}. Reload the page.` }
  }
  if (log.state === 'witnessed')
    return { tone: 'good', text: `Stars checked to ${until}, witnessed ${log.k} of ${log.n}` }
  return { tone: 'own', text: `Stars checked to ${until} by the shop’s log; ${askedText(log)}` }
}

/** Who else vouches for it, where that is too few. */
function askedText({ state, k, n }: SummaryResult['log']): string {
  if (state === 'missed') return `${k} of ${n} witnesses signed`
  if (state === 'stale') return 'witnesses signed over a day ago'
  return state === 'other_log' ? 'your policy names another log' : 'we asked nobody else'
}

/** '3:05 pm', of another day '24 Nov, 3:05 pm'. */
function momentText(at: string | null, timeZone: string, today: string): string {
  const moment = momentOf(at, timeZone)
  if (moment === null) return 'an unknown time'
  const { date, day, clock } = moment
  return date === today ? clock : `${day.slice(4)}, ${clock}`
}
