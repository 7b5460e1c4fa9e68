/** What a letter is made of; laid out as HTML and as text. */
export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'button'; label: string; url: string }
  | { kind: 'rows'; rows: readonly (readonly [label: string, value: string])[] }
  | { kind: 'note'; text: string }

/** A mail to a person, without looks. Texts are plain; whatever is in them is escaped when it is laid out. */
export type Letter = { subject: string; heading: string; blocks: readonly Block[] }

export const text = (words: string): Block => ({ kind: 'text', text: words })
export const button = (label: string, url: string): Block => ({ kind: 'button', label, url })
export const rowsOf = (rows: readonly (readonly [string, string])[]): Block => ({ kind: 'rows', rows })
export const note = (words: string): Block => ({ kind: 'note', text: words })
