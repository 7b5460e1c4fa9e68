import { slugOf, speciesList } from '@befaqt/domain/species'
import { useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'

const pictures = import.meta.glob<string>('../species/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
})

/** Species with a picture, by their standard names. */
const drawn = speciesList.flatMap(({ slug, name }) => {
  const picture = pictures[`../species/${slug}.webp`]
  return picture === undefined ? [] : [{ name, picture }]
})

/** All names that are known, for typing. */
const speciesNames: readonly string[] = speciesList.map(({ name }) => name)

/** The species with pictures, those that were caught last first. */
function speciesChoice(recent: readonly string[]) {
  const first = recent.flatMap((name) => drawn.filter((one) => slugOf(one.name) === slugOf(name)))
  return [...new Set([...first, ...drawn])]
}

/** Species that are shown before one asks for all. */
const SHOWN = 6

type Props = {
  value: string
  onChange: (species: string) => void
  recent: readonly string[]
  error?: string | undefined
}

/** What was caught: by its picture, those caught last first, or by its name. */
export function SpeciesField({ value, onChange, recent, error }: Props) {
  const [all, setAll] = useState(false)
  const choice = speciesChoice(recent)
  const shown = all ? choice : choice.slice(0, SHOWN)
  const isPicture = choice.some(({ name }) => name === value)
  return (
    <fieldset aria-describedby={error ? 'species-error' : undefined}>
      <legend className="mb-1.5 font-semibold text-xl">What is it?</legend>
      <div className="grid grid-cols-3 gap-2 sm:grid-cols-4">
        {shown.map(({ name, picture }) => (
          <label
            key={name}
            className="grid min-h-24 content-start overflow-hidden rounded-md border-2 border-line bg-surface text-center text-sm leading-tight has-checked:border-teal has-checked:bg-teal has-checked:font-semibold has-checked:text-on-teal has-focus-visible:outline-2 has-focus-visible:outline-teal has-focus-visible:outline-offset-2"
          >
            <input
              type="radio"
              name="species"
              className="sr-only"
              checked={name === value}
              onChange={() => onChange(name)}
            />
            <img src={picture} alt="" width={192} height={128} className="w-full" />
            <span className="px-1 py-1.5">{name}</span>
          </label>
        ))}
      </div>
      <div className="mt-2">
        {all ? (
          <InputField
            label="Or its name"
            list="species-names"
            className="min-h-14 text-lg"
            value={isPicture ? '' : value}
            onChange={(event) => onChange(event.currentTarget.value)}
            autoComplete="off"
          />
        ) : (
          <Button variant="link" className="min-h-14" onClick={() => setAll(true)}>
            {value && !shown.some(({ name }) => name === value) ? `${value}. Other species` : 'Other species'}
          </Button>
        )}
        <datalist id="species-names">
          {speciesNames.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      {error && (
        <p id="species-error" className="font-semibold text-bad text-sm">
          {error}
        </p>
      )}
    </fieldset>
  )
}
