import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newestBuild } from '../../.launch/built.mjs'
import { inRoot } from '../../.launch/paths.mjs'

const client = join(newestBuild(inRoot('web', 'dist')) ?? '', 'client')

/** Bytes of script that a page loads at first, as sent (brotli): its entry and everything behind it that it names. */
export async function scriptBytes(url: string): Promise<number> {
  const html = await (await fetch(url)).text()
  const files = new Set(html.match(/\/assets\/[\w.-]+?\.js\b/g))
  return [...files].reduce((sum, path) => sum + readFileSync(`${join(client, path)}.br`).length, 0)
}
