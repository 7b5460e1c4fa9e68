/** Builds the browser's files and the page renderer to `dist/{client,server}`. `node web/build.ts` */
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { minify } from 'terser'
import { build, type ESTree, type Manifest, parseAst, Visitor } from 'vite'
import { writeChecker } from './build-checker.ts'
import { distFolder } from './vite.config.ts'
import { FIELD_MANIFEST, FIELD_WORKER } from './vite.field.config.ts'

process.env.NODE_ENV = 'production'
const configFile = join(import.meta.dirname, 'vite.config.ts')

/** Writes `x.br` and `x.gz` beside every text file, so that the server sends them without compressing again. */
function compressBeside(folder: string): void {
  for (const name of globSync('{**/*.{js,css,svg,json,txt,webmanifest},check.html}', { cwd: folder })) {
    const path = join(folder, name)
    const bytes = readFileSync(path)
    const { BROTLI_PARAM_QUALITY, BROTLI_MAX_QUALITY, BROTLI_PARAM_LGWIN } = constants
    // With a window of 256 KiB the largest script is smaller by 58 bytes than with 4 MiB, the others are as large.
    const params = { [BROTLI_PARAM_QUALITY]: BROTLI_MAX_QUALITY, [BROTLI_PARAM_LGWIN]: 18 }
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

/**
 * Turns every `import()` of the page's scripts into a call of web/src/import-module.ts, so that one that failed can be
 * tried again. After the build, since Vite finds the styles of a script by its `import()`. Workers keep theirs: a failed
 * worker is started anew.
 */
function importRetryably(folder: string): void {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
  const scripts = Object.values(manifest).filter(({ file }) => file.endsWith('.js'))
  for (const file of new Set(scripts.map((script) => script.file))) {
    const path = join(folder, file)
    let script = readFileSync(path, 'utf8')
    const starts: number[] = []
    const collect = ({ source, start }: ESTree.ImportExpression): void => {
      const named =
        source.type === 'Literal' || (source.type === 'TemplateLiteral' && source.quasis.length === 1)
      if (named) starts.push(start)
    }
    new Visitor({ ImportExpression: collect }).visit(parseAst(script))
    for (const start of starts.sort((a, b) => b - a))
      script = `${script.slice(0, start)}importModule${script.slice(start + 'import'.length)}`
    if (starts.length > 0) writeFileSync(path, script)
  }
}

/** @throws Error when a script other than the page's first has styles of its own, which vite.config.ts does not fetch */
function refuseLazyStyles(folder: string): void {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
  const owners = Object.entries(manifest).filter(([, { css = [] }]) => css.length > 0)
  const lazy = owners.map(([name]) => name).filter((name) => name !== 'src/entry-client.tsx')
  if (lazy.length > 0)
    throw new Error(`Import these styles by URL, or in styles/index.css: ${lazy.join(', ')}`)
}

/**
 * Minifies the larger scripts once more with terser, whose result is smaller as sent: by 0.7 KB for the first load, 1.4 KB
 * for the box page. Vite could call it in place of its own minifier, but then takes 16 s longer, and shakes less off.
 */
async function minifyAgain(folder: string): Promise<void> {
  for (const name of globSync('**/*.js', { cwd: folder })) {
    const path = join(folder, name)
    const script = readFileSync(path, 'utf8')
    if (script.length < SMALL) continue
    const compress = { passes: 3, ecma: 2020 as const }
    const { code } = await minify(script, { module: true, ecma: 2020, compress })
    if (code !== undefined && code.length < script.length) writeFileSync(path, code)
  }
}

/** Characters below which it is not worth the time. */
const SMALL = 2_000

/**
 * Tells the service worker of the phone pages which files it keeps, so that its own bytes change with every build that
 * changes one of them: that is how browsers find out.
 */
function listFieldFiles(folder: string): void {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, FIELD_MANIFEST), 'utf8'))
  const built = Object.values(manifest).flatMap(({ file, css = [], assets = [] }) => [
    file,
    ...css,
    ...assets,
  ])
  const kept = built.filter((file) => file.startsWith('assets/') && !/-rest-[^/]+\.woff2$/.test(file))
  const files = ['/field', ...[...new Set(kept)].sort().map((file) => `/${file}`)]
  const page = readFileSync(join(folder, 'field.html'))
  const version = createHash('sha256').update(JSON.stringify(files)).update(page).digest('hex').slice(0, 16)
  const path = join(folder, FIELD_WORKER)
  const code = readFileSync(path, 'utf8')
  writeFileSync(path, `self.fieldBuild=${JSON.stringify({ version, files })};\n${code}`)
}

await build({ configFile })
refuseLazyStyles(join(distFolder, 'client'))
importRetryably(join(distFolder, 'client'))
await minifyAgain(join(distFolder, 'client'))
await build({ configFile, build: { ssr: true } })
await build({ configFile: join(import.meta.dirname, 'vite.field.config.ts') })
listFieldFiles(join(distFolder, 'client'))
await writeChecker(join(distFolder, 'client'))
compressBeside(join(distFolder, 'client'))
