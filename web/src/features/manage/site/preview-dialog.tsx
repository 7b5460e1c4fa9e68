import type { ContentPage } from '@befaqt/domain/api/site-api'
import type { EmailPreview } from '@befaqt/domain/email-templates'
import { useLayoutEffect, useRef } from 'react'
import { Dialog } from '#web/components/dialog.tsx'
import { TrustedHtml } from '#web/components/trusted-html.tsx'

/** What a page or an email would be. */
export type Shown = { page: ContentPage; email?: never } | { email: EmailPreview; page?: never }

/** What would become of a text, as the server made it. */
export function PreviewDialog({ shown, onClose }: { shown: Shown | null; onClose: () => void }) {
  return (
    <Dialog open={shown !== null} title={shown?.page?.title ?? shown?.email?.subject ?? ''} onClose={onClose}>
      {shown && <p className="muted mb-4">A preview: nothing is saved yet.</p>}
      {shown?.page && <TrustedHtml html={shown.page.html} className="prose" />}
      {shown?.email && <Email email={shown.email} />}
    </Dialog>
  )
}

/** An email as mail programs show it, and as those do that show no HTML. */
function Email({ email: { html, text } }: { email: EmailPreview }) {
  const box = useRef<HTMLDivElement>(null)
  // Styles written into HTML are not let through by the page's own rules; set by script they are.
  useLayoutEffect(() => {
    for (const element of box.current?.querySelectorAll<HTMLElement>('[data-style]') ?? [])
      element.style.cssText = element.dataset.style ?? ''
  }, [])
  return (
    <div className="grid gap-4">
      <div ref={box}>
        <TrustedHtml html={html.replaceAll(' style="', ' data-style="')} />
      </div>
      <details>
        <summary className="tap font-semibold">As plain text</summary>
        <pre className="whitespace-pre-wrap break-words text-sm">{text}</pre>
      </details>
    </div>
  )
}
