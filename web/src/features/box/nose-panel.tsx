import type { Box } from '@befaqt/domain/box'
import { Table, Td, Th } from '#web/components/table.tsx'
import { type Addresses, addressOf } from './addresses.ts'
import { Fact, FactColumns } from './facts.tsx'
import { Panel } from './panel.tsx'
import { FileLink } from './record-image.tsx'
import { fraction, percent } from './score.ts'
import { timeWords, useMarketZone, When } from './when.tsx'

type NoseResult = Box['e_nose'][number]

function Tests({ tests, time }: { tests: NonNullable<NoseResult['resultPerTest']>; time: string }) {
  const zone = useMarketZone()
  return (
    <Table caption={`Tests of ${timeWords(time, zone)}`}>
      <thead>
        <tr>
          <Th>Score</Th>
          <Th>Confidence</Th>
          <Th>Data</Th>
        </tr>
      </thead>
      <tbody>
        {tests.map((test) => (
          <tr key={`${test.sensingData} ${test.noseScore} ${test.confidence}`}>
            <Td>{fraction(test.noseScore)}</Td>
            <Td>{percent(test.confidence)}</Td>
            <Td>
              <FileLink address={test.sensingData}>Data file</FileLink>
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function Result({ result, addresses }: { result: NoseResult; addresses: Addresses }) {
  const tests = result.resultPerTest ?? []
  return (
    <li className="grid gap-6 border-line border-b py-6 first:pt-0 last:border-0 last:pb-0">
      <FactColumns>
        <Fact name="Operator" origin="declared">
          {result.operator}
        </Fact>
        <Fact name="Freshness score" origin="measured">
          {fraction(result.noseScore)}
        </Fact>
        <Fact name="Confidence" origin="declared">
          {percent(result.confidence)}
        </Fact>
        <Fact name="Date and time" origin="measured">
          <When text={result.time} />
        </Fact>
        <Fact name="Address" origin="computed">
          {addressOf(addresses, result)}
        </Fact>
      </FactColumns>
      {tests.length > 0 && <Tests tests={tests} time={result.time} />}
    </li>
  )
}

/** What the electronic nose said in each test. Source: spec §2. */
export function NosePanel({ results, addresses }: { results: readonly NoseResult[]; addresses: Addresses }) {
  return (
    <Panel title="E-nose Records">
      {results.length === 0 && <p className="text-slate">The electronic nose has not smelled this box.</p>}
      <ul>
        {results.map((result) => (
          <Result key={`${result.time} ${result.operator}`} result={result} addresses={addresses} />
        ))}
      </ul>
    </Panel>
  )
}
