import type { Box } from '@befaqt/domain/box'
import { DescriptionItem } from './description-list.tsx'
import { type Addresses, percent } from './format.ts'
import { RecordImage } from './record-image.tsx'
import { ResultFacts, ResultsPanel } from './result-facts.tsx'

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
