import type { PageAssets } from './page-assets.ts'

/**
 * Fonts, styles and scripts of a page, for its head. The script waits for the whole document: it
 * reads its data; and it comes after what can be seen.
 */
export function AssetLinks({ assets }: { assets: PageAssets }) {
  return (
    <>
      {assets.fonts.map((href) => (
        <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />
      ))}
      {assets.styles.map((href) => (
        <link key={href} rel="stylesheet" href={href} precedence="default" />
      ))}
      {assets.modules.map((href) => (
        <link key={href} rel="modulepreload" href={href} fetchPriority="low" />
      ))}
      <script type="module" src={assets.entry} fetchPriority="low" />
    </>
  )
}
