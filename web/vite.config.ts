import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const MANIFEST = 'virtual:client-manifest'

/** Folder that the two builds go to; `WEB_DIST` names another one, so that builds can stand side by side. */
export const distFolder = process.env.WEB_DIST ?? join(import.meta.dirname, 'dist')

/** Lets the page renderer import what the client build wrote: which file belongs to which route. */
const clientManifest = (): Plugin => ({
  name: 'befaqt:client-manifest',
  resolveId: (id) => (id === MANIFEST ? `\0${MANIFEST}` : undefined),
  load: (id) =>
    id === `\0${MANIFEST}`
      ? `export default ${readFileSync(join(distFolder, 'client/.vite/manifest.json'), 'utf8')}`
      : undefined,
})

/**
 * Leaves out what reports each navigation of the router, which nothing here asks for: it can't be shaken off, since it
 * is chosen when a router is made. A build with a router that has it elsewhere fails.
 */
const withoutInstrumentation = (): Plugin => ({
  name: 'without-instrumentation',
  transform: {
    filter: { id: /react-router\/dist\/production\/lib\/router\/router\.js$/ },
    handler(code) {
      const without = code.replaceAll('init.instrumentations', 'undefined')
      if (without === code) this.error('The router has its instrumentation elsewhere.')
      return { code: without, map: null }
    },
  },
})

/** What every page needs: the shell, the cart's core, the way to the API, and of the components those that are named. */
const FIRST_LOAD =
  /vite\/preload-helper|domain\/src\/(errors|cart|money|quantity|page-paths|api\/endpoint)\.ts|domain\/src\/api\/endpoints\/(boxes|shop|account)|web\/src\/(loaders\/(?!manage|reads)|(?!entry-start|desk)[^/]+$|api\/(call-api|heard-viewer|hydration|part|use-call)\.|head\/(?!structured)|components\/(alert|badge|button|hydration|icon|trusted-html|use-online)\.|forms\/draft-storage|features\/(catalogue\/list-address|shell\/(?!search-suggestions)|cart\/(cart-sync|cart-store)))/
/** What pages show that have something to fetch: most of accounts do not. With what cards and boxes say of freshness. */
const PICTURE =
  /web\/src\/(components\/(picture|spinner|stars)|features\/cart\/step|time\/today|api\/file-url)|endpoints\/files|domain\/src\/(moment-text|freshness-word|labelling|cold-chain)\.ts/
/** What changes the cart. */
const CHANGE_CART = /domain\/src\/change-cart/
/** The comparison of a cart with what is on sale, and what is said of it. */
const CHECK_CART = /features\/cart\/(check-cart|cart-changes)|domain\/src\/cart-reconcile/
/** What the pages of orders and the checkout share. */
const ORDERS = /features\/order\/order-status|endpoints\/orders|domain\/src\/coupon\.ts/
/** The calls that managers make. */
const MANAGED = /endpoints\/(managed-|manage\.|devices|excursions|suppliers)/
/**
 * Cards of products, with adding from them, and what else its pages share, with their structured data; its search knows
 * the numbers of boxes.
 */
const CATALOGUE =
  /web\/src\/(features\/(catalogue\/(?!filters)|cart\/add-from-card|box\/find\/box-number\.)|head\/structured|components\/(load-failure|cached-fragment))/
/** What lists of products have around them; other lists take their pages from it. */
const LIST = /web\/src\/(components\/pagination|features\/catalogue\/filters|forms\/asked)/
/** Small parts that the page of a box shares with other screens. */
const BOX =
  /features\/box\/(map\/map-frame|check\/kept-by-browser|towns\.|records\.|chart\/(readings|bar-chart)\.)|components\/table|endpoints\/box-page|species-shelf-life/
/** The check of a box, which also checks files. */
const CHECK = /features\/box\/check\/check-(proof|state)/
/** What forms are checked with: zod and the schemas. Fetched with the screens of managers, or when a form is used. */
const SCHEMAS = /node_modules\/zod\/|features\/account\/schemas|domain\/src\/(account|api-key|fields)\.ts/
/** What every screen of accounts needs. */
const ACCOUNT =
  /features\/account\/(account-form|account-fields|schema-of)|web\/src\/forms\/(use-form|controls|field-errors)/
/** What those need who are not signed in: with links of mails, and with where to go on to. */
const SIGNED_OUT = /features\/account\/(signed-out|credential-fields|kept-next)/

/** Rules of fields that are told before the schemas come. */
const RULES = /domain\/src\/account-rules/

/**
 * A few larger files instead of many small ones, which compress worse and each cost a request: a browser asks for six at
 * once of a shop without HTTP/2, and what a click fetches as the seventh comes a round trip later.
 */
const groups = [
  {
    name: 'router',
    // With three numbers that `time` would otherwise take along, so that every page would fetch it.
    test: /rolldown\/runtime|domain\/src\/durations|node_modules\/(react|react-dom|react-router|scheduler)\//,
    priority: 5,
  },
  { name: 'shop', test: FIRST_LOAD, priority: 4 },
  { name: 'field', test: /components\/field|domain\/src\/typed-number/, priority: 4 },
  { name: 'picture', test: PICTURE, priority: 4 },
  // What cards show of favourites, without which the rest of the cards would come with what keeps these.
  { name: 'favourites', test: /shown-favourites/, priority: 4 },
  { name: 'late', test: /components\/(lazy-part|use-near|after-head)/, priority: 4 },
  { name: 'rules', test: RULES, priority: 3 },
  { name: 'time', test: /domain\/src\/market-time/, priority: 5 },
  // Times as they are shown, with the sharing of a page, which a product and a box have.
  { name: 'shown', test: /web\/src\/time\/time\.|share-page/, minShareCount: 2, priority: 3 },
  // Imported by the cold chain, whose alerts pages don't show: it would take both along to every page.
  { name: 'place', test: /domain\/src\/(place|duration-text)/, priority: 5 },
  // Passkeys of a profile need it too, without the rest of the pages for who is not signed in.
  { name: 'sign-in', test: /endpoints\/sign-in/, priority: 3 },
  { name: 'check', test: CHECK, minShareCount: 2, priority: 3 },
  { name: 'change-cart', test: CHANGE_CART, priority: 3 },
  { name: 'check-cart', test: CHECK_CART, minShareCount: 2, priority: 3 },
  { name: 'orders', test: ORDERS, minShareCount: 2, priority: 3 },
  { name: 'managed', test: MANAGED, minShareCount: 2, priority: 3 },
  { name: 'list', test: LIST, minShareCount: 2, priority: 4 },
  { name: 'box', test: BOX, minShareCount: 2, priority: 1 },
  { name: 'cards', test: CATALOGUE, minShareCount: 2, priority: 2 },
  { name: 'schemas', test: SCHEMAS, minShareCount: 2, priority: 2 },
  { name: 'account', test: ACCOUNT, minShareCount: 2, priority: 1 },
  { name: 'signed-out', test: SIGNED_OUT, minShareCount: 2, priority: 1 },
]

export default defineConfig(({ command, isSsrBuild }) => ({
  root: import.meta.dirname,
  plugins: [
    react(),
    tailwind(),
    ...(command === 'build' ? [clientManifest(), withoutInstrumentation()] : []),
  ],
  publicDir: isSsrBuild ? false : 'public',
  logLevel: 'warn',
  build: {
    outDir: join(distFolder, isSsrBuild ? 'server' : 'client'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    manifest: !isSsrBuild,
    // The page names what its own route needs; what others import is fetched with them, in one round trip.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    ssrEmitAssets: false,
    rolldownOptions: {
      input: isSsrBuild ? 'src/entry-server.tsx' : ['src/entry-start.ts', 'src/entry-client.tsx'],
      // The renderer loads every page at its start: one file is read faster than two hundred.
      output: isSsrBuild
        ? { codeSplitting: false }
        : {
            codeSplitting: { groups },
            // Each page loads the names of all files, whose hashes can't be compressed: 42 bits tell builds apart.
            chunkFileNames: 'assets/[name]-[hash:7].js',
          },
    },
  },
  worker: { format: 'es' },
  ssr: command === 'build' ? { noExternal: true } : {},
  // Left alone, the page renderer would carry React's development half and pick it wherever NODE_ENV is not set.
  define: command === 'build' ? { 'process.env.NODE_ENV': JSON.stringify('production') } : {},
}))
