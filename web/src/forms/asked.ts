/** What a form asks for in a URL: the fields that have a value, so that the URL has nothing else. */
export function askedOf(form: HTMLFormElement): URLSearchParams {
  const values = [...new FormData(form)].filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].trim() !== '',
  )
  return new URLSearchParams(values)
}
