import type { Box } from '@befaqt/domain/box'
import { type Addresses, addressOf } from './addresses.ts'
import { Fact, FactColumns } from './facts.tsx'
import { Panel } from './panel.tsx'
import { RecordImage } from './record-image.tsx'
import { fraction, percent } from './score.ts'
import { When } from './when.tsx'

type EyeResult = Box['imageProc'][number]
type Look = Pick<EyeResult['overallResult'], 'fish' | 'confidence' | 'eye' | 'skin'>

/** A finding is a word, or a fraction. */
const finding = (name: string, value: string | number): string =>
  value === '' ? '' : `${name} ${typeof value === 'number' ? percent(value) : value}`.trim()

const looks = ({ fish, confidence, eye, skin }: Look): string =>
  [finding('', fish), percent(confidence), finding('eye', eye), finding('skin', skin)]
    .filter(Boolean)
    .join(' · ')

function Result({ result, addresses }: { result: EyeResult; addresses: Addresses }) {
  return (
    <li className="grid gap-6 border-line border-b py-6 first:pt-0 last:border-0 last:pb-0">
      <FactColumns>
        <Fact name="Operator" origin="declared">
          {result.operator}
        </Fact>
        <Fact name="Freshness score" origin="measured">
          {fraction(result.imgScore)}
        </Fact>
        <Fact name="Overall" origin="measured">
          {result.overallResult && looks(result.overallResult)}
        </Fact>
        <Fact name="Date and time" origin="measured">
          <When text={result.time} />
        </Fact>
        <Fact name="Address" origin="computed">
          {addressOf(addresses, result)}
        </Fact>
      </FactColumns>
      <ul className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {(result.resultPerImage ?? []).map((picture) => (
          <li key={`${picture.image} ${looks(picture)}`} className="grid content-start gap-2 text-sm">
            <RecordImage address={picture.image} alt={`Photo judged as ${looks(picture)}`} />
            <span>{looks(picture)}</span>
          </li>
        ))}
      </ul>
    </li>
  )
}

/** What the image processing said of each photo. Source: spec §2. */
export function EyePanel({ results, addresses }: { results: readonly EyeResult[]; addresses: Addresses }) {
  return (
    <Panel title="E-eye Records">
      {results.length === 0 && <p className="text-slate">No photos of this box have been judged.</p>}
      <ul>
        {results.map((result) => (
          <Result key={`${result.time} ${result.operator}`} result={result} addresses={addresses} />
        ))}
      </ul>
    </Panel>
  )
}
