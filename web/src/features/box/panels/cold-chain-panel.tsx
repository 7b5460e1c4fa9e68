import type { BoxMetrics } from '@befaqt/domain/api/box-api'
import { DescriptionItem, DescriptionList } from './description-list.tsx'
import { duration } from './format.ts'
import { OriginMark } from './origin-mark.tsx'
import { Panel } from './panel.tsx'

/** How well the box was kept cold. Never a verdict on food safety, and it says so. Source: freshness.md §3. */
export function ColdChainPanel({ coldChain }: { coldChain: NonNullable<BoxMetrics['coldChain']> }) {
  const { minutesAbove5, minutesToCold, longestSilenceMinutes } = coldChain
  return (
    <Panel
      title={
        <>
          Cold chain <OriginMark origin="computed" />
        </>
      }
    >
      <DescriptionList>
        <DescriptionItem name="Above 5 °C in all">{duration(minutesAbove5)}</DescriptionItem>
        <DescriptionItem name="From the catch to 5 °C or below">
          {minutesToCold === null ? 'no reading at or below 5 °C yet' : duration(minutesToCold)}
        </DescriptionItem>
        <DescriptionItem name="Longest silence of the sensor">
          {longestSilenceMinutes === null ? 'too few readings to say' : duration(longestSilenceMinutes)}
        </DescriptionItem>
      </DescriptionList>
      <p className="mt-5 max-w-2xl text-slate text-sm">
        Readings can lead to alerts for the market's managers. An alert is never a verdict on food safety.
      </p>
    </Panel>
  )
}
