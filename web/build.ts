/** Builds the browser's files and the page renderer to `dist/{client,server}`. `node web/build.ts` */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { distFolder } from './vite.config.ts'

process.env.NODE_ENV = 'production'
const configFile = join(import.meta.dirname, 'vite.config.ts')

/** Writes `x.br` and `x.gz` beside every text file, so that the server sends them without compressing again. */
function compressBeside(folder: string): void {
  for (const name of globSync('**/*.{js,css,svg,json,txt,webmanifest}', { cwd: folder })) {
    const path = join(folder, name)
    const bytes = readFileSync(path)
    const { BROTLI_PARAM_QUALITY, BROTLI_MAX_QUALITY, BROTLI_PARAM_LGWIN } = constants
    // With a window of 256 KiB the largest script is smaller by 58 bytes than with 4 MiB, the others are as large.
    const params = { [BROTLI_PARAM_QUALITY]: BROTLI_MAX_QUALITY, [BROTLI_PARAM_LGWIN]: 18 }
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

await build({ configFile })
await build({ configFile, build: { ssr: true } })
compressBeside(join(distFolder, 'client'))
