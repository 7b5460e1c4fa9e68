import { type FacetKind, facetKinds, manyOf } from '@befaqt/domain/shelf-choices'

/** The values that an address names of one kind: `cut=fillets,whole`, or each on its own as forms write them. */
const valuesOf = (params: URLSearchParams, kind: string): string[] =>
  [...new Set(params.getAll(kind).flatMap((text) => text.split(',')))].filter(Boolean).sort()

/** The query as it stands in an address: sorted, without empty parameters, with commas as they are. */
export function queryText(params: URLSearchParams): string {
  const filled = new URLSearchParams([...params].filter(([, value]) => value.trim() !== ''))
  filled.sort()
  return `${filled}`.replaceAll('%2C', ',')
}

/** The address with a choice turned over, on its first page. Of most kinds one value takes the place of another. */
export function toggled(
  params: URLSearchParams,
  { kind, value, isChosen }: { kind: FacetKind; value: string; isChosen: boolean },
): string {
  const others = manyOf.includes(kind) ? valuesOf(params, kind).filter((one) => one !== value) : []
  const changed = new URLSearchParams(params)
  changed.delete('page')
  changed.set(kind, (isChosen ? others : [...others, value].sort()).join(','))
  return `?${queryText(changed)}`
}

/** What an address chooses, as the API takes it. */
export const choicesIn = (params: URLSearchParams): [kind: FacetKind, values: string][] =>
  facetKinds.flatMap((kind): [FacetKind, string][] => {
    const values = manyOf.includes(kind) ? valuesOf(params, kind).join(',') : (params.get(kind)?.trim() ?? '')
    return values === '' ? [] : [[kind, values]]
  })

/**
 * The query without what says nothing: empty fields, as a form sent without script writes them, and a choice named twice
 * or in another order, which would be another address of the same page. Null where there is none.
 */
export function tidied(params: URLSearchParams): string | null {
  const tidy = new URLSearchParams([...params].filter(([, value]) => value.trim() !== ''))
  for (const kind of manyOf) if (tidy.has(kind)) tidy.set(kind, valuesOf(tidy, kind).join(','))
  return `${tidy}` === `${new URLSearchParams(params)}` ? null : queryText(tidy)
}
