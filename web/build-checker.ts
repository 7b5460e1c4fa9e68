/** Makes check.html: one file, the same bytes wherever it is built. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'

/** What the checker may do: run its own script, look its own way, and ask what the visitor names. */
const policyOf = (script: string, style: string): string =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data: blob:',
    "connect-src 'self' https: http://localhost:* http://127.0.0.1:*",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The text of check.html. @param web folder of the sources */
export async function checkerPage(web = import.meta.dirname): Promise<string> {
  const folder = join(web, 'src/checker')
  const [script, style] = [await scriptOf(web), styleOf(web)]
  if (/<\/script|<!--|[\r]/i.test(script) || /<\/style|\r/i.test(style))
    throw new Error('The checker holds what would end its script or its styles early.')
  return readFileSync(join(folder, 'page.html'), 'utf8')
    .replace('POLICY', () => policyOf(script, style))
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<script></script>', () => `<script>${script}</script>`)
}

async function scriptOf(root: string): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      reportCompressedSize: false,
      minify: 'oxc',
      lib: { entry: join(root, 'src/checker/main.ts'), formats: ['iife'], name: 'checker' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  })
  const [{ output }] = [built].flat() as Rolldown.RolldownOutput[] as [Rolldown.RolldownOutput]
  const [chunk, ...others] = output
  if (others.length > 0) throw new Error('The checker is not one script.')
  return chunk.code.trim()
}

/** The colours of the pages, each of which is told once, and the checker's own styles. */
function styleOf(web: string): string {
  const theme = readFileSync(join(web, 'src/styles/theme.css'), 'utf8')
  const colours = [...theme.matchAll(/--color-[a-z-]+: [^;]+;/g)].map(([line]) => line)
  const own = readFileSync(join(web, 'src/checker/checker.css'), 'utf8')
  return `:root{color-scheme:light dark;${colours.join('')}}${own}`
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,>]) ?/g, '$1')
    .trim()
}

/** Writes it to a folder, with its hash beside it. Returns the hash. */
export async function writeChecker(folder: string): Promise<string> {
  const page = await checkerPage()
  const hash = createHash('sha256').update(page).digest('hex')
  writeFileSync(join(folder, 'check.html'), page)
  writeFileSync(join(folder, 'check.html.sha256.txt'), `${hash}  check.html\n`)
  return hash
}
