import type { Box } from '@befaqt/domain/box'
import { type Addresses, addressOf } from './addresses.ts'
import { Fact, FactColumns } from './facts.tsx'
import { Panel } from './panel.tsx'
import { ReadingsChart } from './readings-chart.tsx'
import { ReadingsTable } from './readings-table.tsx'
import { fraction } from './score.ts'
import type { ShownReading } from './shown-reading.ts'
import { When } from './when.tsx'

type Props = {
  iotResult: NonNullable<Box['iotResult']>
  readings: readonly ShownReading[]
  addresses: Addresses
  offsetAt: (at: number) => number
}

/** The tracking device: its result, every reading and the chart of temperatures. Source: spec §2. */
export function SensorPanel({ iotResult, readings, addresses, offsetAt }: Props) {
  const { operator, iotScore, confidence, time } = iotResult
  const devices = [...new Set(readings.map(({ sensor }) => sensor))].join(', ')
  return (
    <Panel title={devices ? `Tracking device ${devices}` : 'Tracking device'} id="readings">
      <FactColumns>
        <Fact name="Operator" origin="declared">
          {operator}
        </Fact>
        <Fact name="Freshness score" origin="computed">
          {fraction(iotScore)}
        </Fact>
        <Fact name="Confidence" origin="declared">
          {fraction(confidence)}
        </Fact>
        <Fact name="Date and time" origin="measured">
          <When text={time} />
        </Fact>
        <Fact name="Address" origin="computed">
          {addressOf(addresses, iotResult)}
        </Fact>
      </FactColumns>
      {readings.length > 0 && (
        <div className="mt-8 grid items-start gap-8 lg:grid-cols-2">
          <ReadingsTable readings={readings} />
          <ReadingsChart readings={readings} offsetAt={offsetAt} />
        </div>
      )}
    </Panel>
  )
}
