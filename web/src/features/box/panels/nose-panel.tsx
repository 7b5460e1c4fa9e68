import type { Box } from '@befaqt/domain/box'
import { Table, Td, Th } from '#web/components/table.tsx'
import { formatTime, useMarketZone } from '#web/time/time.tsx'
import { DescriptionItem } from './description-list.tsx'
import { type Addresses, fraction, percent } from './format.ts'
import { FileLink } from './record-image.tsx'
import { ResultFacts, ResultsPanel } from './result-facts.tsx'
import { withUniqueKeys } from './unique-keys.ts'

type NoseResult = Box['e_nose'][number]

function Tests({ tests, time }: { tests: NonNullable<NoseResult['resultPerTest']>; time: string }) {
  const zone = useMarketZone()
  return (
    <Table caption={`Tests of ${formatTime(time, zone)}`}>
      <thead>
        <tr>
          <Th>Score</Th>
          <Th>Confidence</Th>
          <Th>Data</Th>
        </tr>
      </thead>
      <tbody>
        {withUniqueKeys(tests, ({ sensingData, noseScore }) => `${sensingData} ${noseScore}`).map(
          ([key, test]) => (
            <tr key={key}>
              <Td>{fraction(test.noseScore)}</Td>
              <Td>{percent(test.confidence)}</Td>
              <Td>
                <FileLink url={test.sensingData}>Data file</FileLink>
              </Td>
            </tr>
          ),
        )}
      </tbody>
    </Table>
  )
}

/** What the electronic nose said in each test. Source: spec §2. */
export function NosePanel({ results, addresses }: { results: readonly NoseResult[]; addresses: Addresses }) {
  return (
    <ResultsPanel
      title="E-nose Records"
      none="The electronic nose has not tested this box."
      results={results}
    >
      {(result) => (
        <>
          <ResultFacts result={result} score={result.noseScore} origin="measured" addresses={addresses}>
            <DescriptionItem name="Confidence" origin="declared">
              {percent(result.confidence)}
            </DescriptionItem>
          </ResultFacts>
          {result.resultPerTest?.length ? <Tests tests={result.resultPerTest} time={result.time} /> : null}
        </>
      )}
    </ResultsPanel>
  )
}
