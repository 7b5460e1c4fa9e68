import type { BoxMetrics } from '@befaqt/domain/api/box-api'
import { COLD_LIMIT } from '@befaqt/domain/cold-chain'
import { durationText } from '@befaqt/domain/duration-text'
import { HISTAMINE_SOURCE } from '@befaqt/domain/species-shelf-life'
import { celsius } from '@befaqt/domain/tracking'
import { DescriptionItem, DescriptionList } from './description-list.tsx'
import { Panel } from './panel.tsx'

/** How well the box was kept cold. Never a verdict on food safety, and it says so. Source: freshness.md §3. */
export function ColdChainPanel({ figures: { coldChain, formsHistamine } }: { figures: BoxMetrics }) {
  if (coldChain === null) return null
  const { minutesAbove5, minutesToCold, longestSilenceMinutes } = coldChain
  return (
    <Panel title="Cold chain" origin="computed">
      <DescriptionList>
        <DescriptionItem name={`Total time above ${celsius(COLD_LIMIT)}`}>
          {durationText(minutesAbove5)}
        </DescriptionItem>
        <DescriptionItem name={`Time to chill to ${celsius(COLD_LIMIT)} or below`}>
          {minutesToCold === null
            ? `no reading at or below ${celsius(COLD_LIMIT)} yet`
            : durationText(minutesToCold)}
        </DescriptionItem>
        <DescriptionItem name="Longest gap in readings">
          {longestSilenceMinutes === null ? 'too few readings to say' : durationText(longestSilenceMinutes)}
        </DescriptionItem>
      </DescriptionList>
      {formsHistamine && (
        <p className="mt-5 max-w-2xl">
          <b className="font-semibold">This species forms histamine where it gets warm.</b> Warmth is a matter
          of safety here, not of quality alone, and cooking does not undo it.{' '}
          <span className="text-slate text-sm">Source: {HISTAMINE_SOURCE}.</span>
        </p>
      )}
      <p className="mt-5 max-w-2xl text-slate text-sm">
        Unusual readings alert the market’s managers. Alerts prompt a check. They are not a food-safety
        ruling.
      </p>
    </Panel>
  )
}
