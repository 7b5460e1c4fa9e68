/** HTML that the server made of the site's texts, harmless whatever they say. Never give it anything else. */
export function TrustedHtml({ html, className }: { html: string; className?: string }) {
  return <div className={className} dangerouslySetInnerHTML={{ __html: html }} />
}

/** A block of data in the page, which no browser runs. `json` has its `<` escaped already. */
export function JsonScript({ json, type, id }: { json: string; type: string; id?: string }) {
  return <script type={type} id={id} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: json }} />
}
