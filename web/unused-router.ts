import type { Plugin } from 'vite'

type Cut = {
  file: RegExp
  /** Everything that the file exports. */
  exports?: readonly string[]
  /** Functions of the file, at any depth. */
  functions?: readonly string[]
  part?: RegExp
  instead?: string
}

/**
 * Parts of react-router that are reachable from `Link` and `createBrowserRouter` and that this shop never calls: what
 * its framework mode, instrumentation, route actions, fetchers, routes found later and view transitions need. 4.5 KB
 * of what every first visit fetches. Called all the same, they say that they were left out.
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
    functions: ['PrefetchPageLinks'],
  },
  {
    file: /react-router\/dist\/production\/lib\/router\/router\.js$/,
    functions: [
      '_internalSetRoutes',
      'cancelDiscoveryNavigation',
      'discoverRoutes',
      'fetch',
      'handleAction',
      'handleFetcherAction',
      'handleFetcherLoader',
      'patchRoutes',
      'patchRoutesImpl',
    ],
  },
  {
    file: /react-router\/dist\/production\/lib\/components\.js$/,
    part: /let isViewTransitionAvailable = [^;]+;/,
    instead: 'const isViewTransitionAvailable = false;',
  },
]

const unused = (names: readonly string[]): string =>
  `const unused = () => {}\nexport { ${names.map((name) => `unused as ${name}`).join(', ')} }`

/** The function called `name` with all its lines, by the indentation of its first and last. */
const whole = (name: string): RegExp =>
  new RegExp(`^(\\t*)(async )?function ${name}\\(.*\\{\\n[\\s\\S]*?\\n\\1\\}$`, 'm')

const leftOut = (name: string): string => `function ${name}() { throw Error('${name} was left out') }`

/** The file without what is unused; undefined when the file does not look like that any more. */
function without(code: string, { exports, functions = [], part, instead = '' }: Cut): string | undefined {
  if (exports) return unused(exports)
  const parts = functions.map((name) => [whole(name), leftOut(name)] as const)
  const all = part ? [...parts, [part, instead] as const] : parts
  if (!all.every(([pattern]) => pattern.test(code))) return undefined
  return all.reduce((rest, [pattern, words]) => rest.replace(pattern, words), code)
}

/** Leaves these parts out of the browser's script; stops the build when the router no longer looks like that. */
export const unusedRouter = (): Plugin => ({
  name: 'befaqt:unused-router',
  enforce: 'pre',
  apply: (_, { isSsrBuild }) => !isSsrBuild,
  transform(code, id) {
    const cut = cuts.find(({ file }) => file.test(id))
    if (!cut) return undefined
    const rest = without(code, cut)
    if (rest === undefined) this.error(`${id} has changed: look again at what unused-router.ts leaves out.`)
    return rest
  },
})
