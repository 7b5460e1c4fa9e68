import { fileURLToPath } from 'node:url'

/** Texts that the fonts built into PDF can write: Western European letters. */
const WESTERN = /^[\n\u0020-\u007e\u00a0-\u00ff\u2013\u2014\u2018-\u201d\u2022\u2026\u20ac]*$/
/** What neither those nor DejaVu Sans can write from left to right, letter by letter. */
const UNPRINTABLE =
  /[^\n\u0020-\u007e\u00a0-\u00ff\u2013\u2014\u2018-\u201d\u2022\u2026\u20ac\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/gu

/** A text as a PDF can hold it: a letter that is not Latin, Greek or Cyrillic is a question mark. */
export const pdfText = (text: string): string => text.normalize('NFC').replace(UNPRINTABLE, '?')

/** The font for such a text, as pdfkit takes it: Helvetica, or DejaVu Sans where a letter is not Western European. */
export function pdfFont(text: string, weight: 'regular' | 'bold' = 'regular'): string {
  if (WESTERN.test(text)) return weight === 'bold' ? 'Helvetica-Bold' : 'Helvetica'
  const bold = import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')
  const regular = import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')
  return fileURLToPath(weight === 'bold' ? bold : regular)
}
