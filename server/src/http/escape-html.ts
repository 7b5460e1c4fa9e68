const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML and SVG, between tags and in quoted attributes. */
export const escapeHtml = (plain: string): string => plain.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? '')
