import { type ChoiceKind, choiceKinds } from '@befaqt/domain/shelf-choices'

/** The values of one kind that an address names: `cut=fillets,whole`, or each on its own as forms write them. */
const valuesOf = (params: URLSearchParams, kind: ChoiceKind): string[] =>
  [...new Set(params.getAll(kind).flatMap((text) => text.split(',')))].filter((value) => value !== '').sort()

/** The query as it stands in an address: sorted, without empty parameters, with commas as they are. */
export function queryText(params: URLSearchParams): string {
  const filled = [...params].filter(([, value]) => value.trim() !== '')
  const sorted = new URLSearchParams(filled)
  sorted.sort()
  return `${sorted}`.replaceAll('%2C', ',')
}

/** The address with these choices of one kind and all else as it is, on its first page. */
function withChoices(params: URLSearchParams, kind: ChoiceKind, values: readonly string[]): string {
  const changed = new URLSearchParams(params)
  changed.delete('page')
  changed.set(kind, values.join(','))
  return `?${queryText(changed)}`
}

/** The address with one choice more, or less where it is chosen. Of dates there is one: another takes its place. */
export function toggled(params: URLSearchParams, kind: ChoiceKind, value: string): string {
  const chosen = valuesOf(params, kind)
  if (chosen.includes(value))
    return withChoices(
      params,
      kind,
      chosen.filter((one) => one !== value),
    )
  return withChoices(params, kind, kind === 'bestBy' ? [value] : [...chosen, value].sort())
}

/** What an address chooses, as the API and hidden fields of a form take it. */
export const choicesIn = (params: URLSearchParams): [kind: ChoiceKind, values: string][] =>
  choiceKinds.flatMap((kind): [ChoiceKind, string][] => {
    const values = valuesOf(params, kind).join(',')
    return values === '' ? [] : [[kind, values]]
  })

/**
 * The query without what says nothing: empty fields, as a form sent without script writes them, and a choice named twice
 * or in another order, which would be another address of the same page. Null where there is none.
 */
export function tidied(params: URLSearchParams): string | null {
  const tidy = new URLSearchParams(
    [...params].filter(([name, value]) => value.trim() !== '' && !choiceKinds.some((kind) => kind === name)),
  )
  const chosen = choicesIn(params)
  for (const [kind, values] of chosen) tidy.set(kind, values)
  const isTidy = tidy.size === params.size && chosen.every(([kind, values]) => params.get(kind) === values)
  return isTidy ? null : queryText(tidy)
}
