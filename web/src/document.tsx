import { createContext, type ReactNode, useContext } from 'react'
import { JsonScript } from './components/trusted-html.tsx'

/** What the server puts around a page. In the browser `links` is null: they are there already. */
export type PagePartsValue = { state: string; links: ReactNode }

const Parts = createContext<PagePartsValue>({ state: '', links: null })
export const PageParts = Parts.Provider

/** The whole HTML document; `children` is what the body shows. */
export function Document({ children }: { children: ReactNode }) {
  const { state, links } = useContext(Parts)
  return (
    // entry-start.ts notes on it what it knows of this browser.
    <html lang="en-AU" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#12232c" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
        {links}
      </head>
      <body>
        {children}
        <JsonScript type="application/json" id="hydration" json={state} />
      </body>
    </html>
  )
}
