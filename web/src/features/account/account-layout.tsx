import type { ReactNode } from 'react'
import { PageHead } from '#web/head/page-head.tsx'

/** The one card that an account screen is. */
export function AccountLayout({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="wrap py-10 sm:py-16">
      <PageHead describe={() => ({ title })} />
      <div className="mx-auto max-w-md rounded-lg border border-line bg-surface p-5 sm:p-8">
        <h1 className="mb-6 text-3xl sm:text-4xl">{title}</h1>
        <noscript>
          <p className="mb-6 text-bad">Accounts need JavaScript. Please switch it on for this site.</p>
        </noscript>
        {children}
      </div>
    </div>
  )
}
