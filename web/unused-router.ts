import type { Plugin } from 'vite'

type Cut = { file: RegExp; exports?: readonly string[]; part?: RegExp; instead?: string }

/**
 * Parts of react-router that only its framework mode and its instrumentation need, reachable from `Link` and
 * `createBrowserRouter` all the same: 2.2 KB of what every first visit fetches. Without them nothing of data mode changes.
 */
const cuts: readonly Cut[] = [
  {
    file: /react-router\/dist\/production\/lib\/router\/instrumentation\.js$/,
    exports: [
      'consumeInstrumentationClientResultMetaReceiver',
      'getRouteInstrumentationUpdates',
      'instrumentClientSideRouter',
      'instrumentHandler',
      'instrumentationResultMetaContext',
    ],
  },
  {
    file: /react-router\/dist\/production\/lib\/dom\/ssr\/links\.js$/,
    exports: [
      'getKeyedLinksForMatches',
      'getKeyedPrefetchLinks',
      'getModuleLinkHrefs',
      'getNewMatchesForLinks',
      'isPageLinkDescriptor',
      'prefetchRouteCss',
      'prefetchStyleLinks',
    ],
  },
  {
    file: /react-router\/dist\/production\/lib\/dom\/ssr\/components\.js$/,
    part: /function PrefetchPageLinks\([\s\S]*?\n\}\n/,
    instead: 'function PrefetchPageLinks() { return null }\n',
  },
]

/** Leaves these parts out of the browser's script; stops the build when the router no longer looks like that. */
export const unusedRouter = (): Plugin => ({
  name: 'befaqt:unused-router',
  enforce: 'pre',
  apply: (_, { isSsrBuild }) => !isSsrBuild,
  transform(code, id) {
    const cut = cuts.find(({ file }) => file.test(id))
    if (cut?.exports)
      return `const unused = () => {}\nexport { ${cut.exports.map((name) => `unused as ${name}`).join(', ')} }`
    if (!cut?.part) return undefined
    if (!cut.part.test(code)) this.error(`${id} has changed: look again at what unused-router.ts leaves out.`)
    return code.replace(cut.part, cut.instead ?? '')
  },
})
