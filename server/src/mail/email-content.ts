/** A part of an email; rendered as HTML and as plain text. */
export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'button'; label: string; url: string }
  | { kind: 'rows'; rows: readonly (readonly [label: string, value: string])[] }
  | { kind: 'note'; text: string }

/** An email's content without its layout. Texts are plain; they are escaped when they are rendered. */
export type EmailContent = { subject: string; heading: string; blocks: readonly Block[] }

export const text = (text: string): Block => ({ kind: 'text', text })
export const button = (label: string, url: string): Block => ({ kind: 'button', label, url })
export const rowsOf = (rows: readonly (readonly [string, string])[]): Block => ({ kind: 'rows', rows })
export const note = (text: string): Block => ({ kind: 'note', text })
