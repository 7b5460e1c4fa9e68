import type { Plugin } from 'vite'

type Cut = {
  file: RegExp
  /** Everything that the file exports. */
  exports?: readonly string[]
  /** Functions of the file, at any depth, that are never called. */
  functions?: readonly string[]
  /** Functions that are called and have nothing to do, with what they do instead. */
  idle?: Readonly<Record<string, string>>
  part?: RegExp
  instead?: string
}

/**
 * Parts of react-router that are reachable from `Link` and `createBrowserRouter` and that this shop never needs: its
 * framework mode, instrumentation, middleware, route actions, fetchers, routes found later and view transitions. 5 KB
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
    idle: { usePrefetchBehavior: 'return [false, null, {}]' },
  },
  {
    file: /react-router\/dist\/production\/lib\/dom\/lib\.js$/,
    functions: ['HistoryRouter'],
  },
  {
    file: /react-router\/dist\/production\/lib\/hooks\.js$/,
    functions: ['RSCErrorHandler'],
  },
  {
    file: /react-router\/dist\/production\/lib\/router\/router\.js$/,
    functions: [
      '_internalSetRoutes',
      'callRouteMiddleware',
      'cancelDiscoveryNavigation',
      'discoverRoutes',
      'fetch',
      'getTargetedDataStrategyMatches',
      'handleAction',
      'handleFetcherAction',
      'handleFetcherLoader',
      'patchRoutes',
      'patchRoutesImpl',
      'runClientMiddlewarePipeline',
    ],
    idle: { persistAppliedTransitions: '', restoreAppliedTransitions: '' },
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

/** The file without what is unused; undefined when the file does not look like that any more. */
function without(
  code: string,
  { exports, functions = [], idle, part, instead = '' }: Cut,
): string | undefined {
  if (exports) return unused(exports)
  const leftOut = functions.map((name) => [name, `throw Error('${name} was left out')`] as const)
  const changes = [...leftOut, ...Object.entries(idle ?? {})].map(([name, body]): [RegExp, string] => [
    whole(name),
    `function ${name}() { ${body} }`,
  ])
  if (part) changes.push([part, instead])
  if (!changes.every(([pattern]) => pattern.test(code))) return undefined
  return changes.reduce((rest, [pattern, words]) => rest.replace(pattern, words), code)
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
