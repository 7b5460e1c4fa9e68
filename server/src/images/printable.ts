/** The built-in fonts of PDF have Western European letters; any other is shown as a question mark. */
export const printable = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[^\n\u0020-\u007e\u00a0-\u00ff\u2013\u2014\u2018-\u201d\u2022\u2026\u20ac]/g, '?')
