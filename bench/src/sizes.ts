import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newestBuild } from '../../tools/build-folders.ts'
import { fromRoot } from '../../tools/script.mjs'

const client = join(newestBuild(fromRoot('web', 'dist')) ?? '', 'client')

/** Bytes of script that a page loads at first, as sent (brotli): its entry and everything behind it that it names. */
export async function scriptBytes(url: string): Promise<number> {
  const html = await (await fetch(url)).text()
  const files = new Set(html.match(/\/assets\/[\w.-]+?\.js\b/g))
  return [...files].reduce((sum, path) => sum + readFileSync(`${join(client, path)}.br`).length, 0)
}
