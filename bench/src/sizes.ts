import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newestBuild } from '../../tools/build-folders.ts'
import { fromRoot } from '../../tools/script.mjs'

const client = join(newestBuild(fromRoot('web', 'dist')) ?? '', 'client')

/** Bytes of the scripts that a page loads initially, as sent (Brotli): its entry and the modules that it imports. */
export async function scriptBytes(url: string): Promise<number> {
  const html = await (await fetch(url)).text()
  const files = new Set(html.match(/\/assets\/[\w.-]+?\.js\b/g))
  return [...files].reduce((sum, path) => sum + readFileSync(`${join(client, path)}.br`).length, 0)
}
