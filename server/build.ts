/** Builds the server's programs to `dist/`, or to the folder that SERVER_DIST names. `node server/build.ts` */
import { join, relative, resolve } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'

const folder = import.meta.dirname
/** Where the programs are run from: the way from there to what lies beside the sources is written into them. */
const home = resolve(process.env.SERVER_DIST ?? join(folder, 'dist'))

/** Packages that keep programs or data beside their code, and what only a setting loads. They stay where they are. */
const apart = [
  /^@aws-sdk\//,
  /^@electric-sql\//,
  /^@nomicfoundation\//,
  /^@node-rs\//,
  /^@opentelemetry\//,
  /^flydrive\b/,
  /^pdfkit\b/,
  /^stripe\b/,
]

/** A module that asks for its own address gets that of its source: what it looks for lies there. */
const ownAddress: Plugin = {
  name: 'own-address',
  transform: {
    filter: { code: 'import.meta.', id: { exclude: /^\0/ } },
    handler: (code, id) => {
      if (id.startsWith(folder) && /import\.meta\.(dirname|filename)/.test(code))
        throw new Error(`${id}: please write import.meta.url, which the build gives the right value`)
      const address = JSON.stringify(relative(home, id).replaceAll('\\', '/'))
      return {
        code: code.replaceAll('import.meta.url', `new URL(${address}, import.meta.url).href`),
        map: null,
      }
    },
  },
}

const bundle = await rolldown({
  input: { main: join(folder, 'src/main.ts'), worker: join(folder, 'src/worker.ts') },
  platform: 'node',
  external: apart,
  // Nothing is left out or rewritten: a call whose answer nobody reads, as of decodeURI, may be there to throw.
  treeshake: false,
  plugins: [ownAddress],
})
await bundle.write({
  dir: home,
  format: 'esm',
  minify: false,
  chunkFileNames: '[name].js',
})
