import type { PageAssets } from './page-assets.ts'

/** Fonts, styles and scripts of a page, for its head. The page's script comes after what can be seen: entry-start.ts. */
export function AssetLinks({ assets }: { assets: PageAssets }) {
  return (
    <>
      {assets.fonts.map((href) => (
        <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />
      ))}
      {assets.styles.map((href) => (
        <link key={href} rel="stylesheet" href={href} precedence="default" />
      ))}
      <script
        type="module"
        src={assets.start}
        data-entry={assets.entry}
        data-modules={assets.modules.join(' ')}
      />
    </>
  )
}
