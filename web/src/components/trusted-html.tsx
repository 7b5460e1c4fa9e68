/** HTML made from our own Markdown. Never give it anything that a visitor typed. */
export function TrustedHtml({ html, className }: { html: string; className?: string }) {
  return <div className={className} dangerouslySetInnerHTML={{ __html: html }} />
}
