import type { Site } from '@befaqt/domain/api/site-api'
import type { Box } from '@befaqt/domain/box'
import type { ReactNode } from 'react'
import { Table, Td, Th } from '#web/components/table.tsx'
import { formatTime, Time, useMarketZone } from '#web/time/time.tsx'
import type { ShownReading } from '../chart/readings.ts'
import { ReadingsChart } from '../chart/readings-chart.tsx'
import { ReadingsTable } from '../chart/readings-table.tsx'
import { DescriptionColumns, DescriptionItem, DescriptionList, type Origin, Panel } from '../panel.tsx'
import { type Addresses, addressOf, fraction, percent, withUniqueKeys } from './format.ts'
import { FileLink, RecordImage } from './record-image.tsx'

/** Who caught the fish. Source: spec §2. */
export function FisherPanel({ fisher, sample }: { fisher: Box['fisher']; sample: boolean }) {
  return (
    <Panel title="Fisher" origin="declared">
      <DescriptionList>
        <DescriptionItem name="ID">{fisher.traderID}</DescriptionItem>
        <DescriptionItem name="Name">{fisher.traderName}</DescriptionItem>
        <DescriptionItem name="Company">{fisher.companyName}</DescriptionItem>
        <DescriptionItem name="Boat">{fisher.boat}</DescriptionItem>
        <DescriptionItem name="Address">{fisher.address}</DescriptionItem>
      </DescriptionList>
      {sample && <p className="mt-4 muted">Sample: this trader and this boat are invented.</p>}
    </Panel>
  )
}

/** Where and how the fish was caught; not there without data. Source: spec §2. */
export function CatchPanel({ catchProv }: { catchProv: NonNullable<Box['catchProv']> }) {
  const { species, size, time, locationCodeLat, locationCodeLong, method, note, img } = catchProv
  const location = [locationCodeLat, locationCodeLong].flatMap((part) =>
    part === undefined || part === '' ? [] : String(part).replace('-', '−'),
  )
  return (
    <Panel title="Catch provenance" origin="declared">
      <div className="grid items-start gap-8 lg:grid-cols-[1fr_28rem]">
        <DescriptionList>
          <DescriptionItem name="Species">{species}</DescriptionItem>
          <DescriptionItem name="Size">{size}</DescriptionItem>
          <DescriptionItem name="Date and time">
            <Time at={time} />
          </DescriptionItem>
          <DescriptionItem name="Location code">{location.join(' / ')}</DescriptionItem>
          <DescriptionItem name="Method">{method && `${method} fishing`}</DescriptionItem>
          <DescriptionItem name="Note">{note}</DescriptionItem>
        </DescriptionList>
        <RecordImage url={img} alt={`The catch: ${species}`} className="no-print" />
      </div>
    </Panel>
  )
}

type EyeResult = Box['imageProc'][number]
type Look = Pick<EyeResult['overallResult'], 'fish' | 'confidence' | 'eye' | 'skin'>

/** A finding is a word, or a fraction. */
const finding = (name: string, value: string | number): string =>
  value === '' ? '' : `${name} ${typeof value === 'number' ? percent(value) : value}`.trim()

const looks = ({ fish, confidence, eye, skin }: Look): string =>
  [finding('', fish), percent(confidence), finding('eye', eye), finding('skin', skin)]
    .filter(Boolean)
    .join(' · ')

function Pictures({ pictures }: { pictures: NonNullable<EyeResult['resultPerImage']> }) {
  return (
    <ul className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
      {pictures.map((picture) => (
        <li key={`${picture.image} ${looks(picture)}`} className="grid content-start gap-2 text-sm">
          <RecordImage url={picture.image} alt={`Photo judged as ${looks(picture)}`} />
          <span>{looks(picture)}</span>
        </li>
      ))}
    </ul>
  )
}

/** What the image processing said of each photo. Source: spec §2. */
export function EyePanel({ results, addresses }: { results: readonly EyeResult[]; addresses: Addresses }) {
  return (
    <ResultsPanel title="E-eye Records" none="No photos of this box have been judged." results={results}>
      {(result) => (
        <>
          <ResultFacts result={result} score={result.imgScore} origin="measured" addresses={addresses}>
            <DescriptionItem name="Overall" origin="measured">
              {result.overallResult && looks(result.overallResult)}
            </DescriptionItem>
          </ResultFacts>
          <Pictures pictures={result.resultPerImage ?? []} />
        </>
      )}
    </ResultsPanel>
  )
}

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

type SensorPanelProps = {
  iotResult: NonNullable<Box['iotResult']>
  readings: readonly ShownReading[]
  addresses: Addresses
  offsetAt: (at: number) => number
  market: Site['market']
}

/** The tracking device: its result, every reading and the chart of temperatures. Source: spec §2. */
export function SensorPanel({ iotResult, readings, addresses, offsetAt, market }: SensorPanelProps) {
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

/** What results of every kind say. */
type Result = {
  operator: string
  time: string
  latitude?: number | null
  longitude?: number | null
}

type Props = {
  result: Result
  /** From 0, as caught, to 1, past its best. */
  score: number | null | undefined
  origin: Origin
  addresses: Addresses
  children: ReactNode
}

/** Who came to a result, how fresh it says the fish is, when and where. `children` is the fact of its own kind. */
function ResultFacts({ result, score, origin, addresses, children }: Props) {
  return (
    <DescriptionColumns>
      <DescriptionItem name="Operator" origin="declared">
        {result.operator}
      </DescriptionItem>
      <DescriptionItem name="Freshness score" origin={origin}>
        {fraction(score)}
      </DescriptionItem>
      {children}
      <DescriptionItem name="Date and time" origin="measured">
        <Time at={result.time} />
      </DescriptionItem>
      <DescriptionItem name="Address" origin="shop">
        {addressOf(addresses, result)}
      </DescriptionItem>
    </DescriptionColumns>
  )
}

type ResultsPanelProps<Kind extends Result> = {
  title: string
  /** Shown where there are no results. */
  none: string
  results: readonly Kind[]
  children: (result: Kind) => ReactNode
}

/** The results of one instrument, one below the other. `children` draws one. */
function ResultsPanel<Kind extends Result>({ title, none, results, children }: ResultsPanelProps<Kind>) {
  return (
    <Panel className="no-print" title={title}>
      {results.length === 0 && <p className="text-slate">{none}</p>}
      <ul>
        {withUniqueKeys(results, ({ time, operator }) => `${time} ${operator}`).map(([key, result]) => (
          <li key={key} className="grid gap-6 border-line border-b py-6 first:pt-0 last:border-0 last:pb-0">
            {children(result)}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
