/** What a form asks for in a URL: the fields that have a value, so that the URL has nothing else. */
export function askedOf(form: HTMLFormElement): URLSearchParams {
  const values = [...new FormData(form)].filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].trim() !== '',
  )
  return new URLSearchParams(values)
}

/** The query without its empty fields, as a form sent without script writes them; null when there are none. */
export function withoutBlank(params: URLSearchParams): URLSearchParams | null {
  const filled = [...params].filter(([, value]) => value.trim() !== '')
  return filled.length === params.size ? null : new URLSearchParams(filled)
}
