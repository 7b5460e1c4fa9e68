import type { Site } from '@befaqt/domain/api/site-api'
import type { Box } from '@befaqt/domain/box'
import type { ShownReading } from '../chart/readings.ts'
import { ReadingsChart } from '../chart/readings-chart.tsx'
import { ReadingsTable } from '../chart/readings-table.tsx'
import { DescriptionItem } from './description-list.tsx'
import { type Addresses, percent } from './format.ts'
import { Panel } from './panel.tsx'
import { ResultFacts } from './result-facts.tsx'

type Props = {
  iotResult: NonNullable<Box['iotResult']>
  readings: readonly ShownReading[]
  addresses: Addresses
  offsetAt: (at: number) => number
  market: Site['market']
}

/** The tracking device: its result, every reading and the chart of temperatures. Source: spec §2. */
export function SensorPanel({ iotResult, readings, addresses, offsetAt, market }: Props) {
  const devices = [...new Set(readings.map(({ sensor }) => sensor))].join(', ')
  return (
    <Panel
      className="no-print"
      title={devices ? `Tracking device ${devices}` : 'Tracking device'}
      id="readings"
    >
      <ResultFacts result={iotResult} score={iotResult.iotScore} origin="computed" addresses={addresses}>
        <DescriptionItem name="Confidence" origin="declared">
          {percent(iotResult.confidence)}
        </DescriptionItem>
      </ResultFacts>
      {readings.length > 0 && (
        <div className="mt-8 grid items-start gap-8 xl:grid-cols-[minmax(0,1fr)_600px]">
          <ReadingsTable readings={readings} market={market} />
          <ReadingsChart readings={readings} offsetAt={offsetAt} />
        </div>
      )}
    </Panel>
  )
}
