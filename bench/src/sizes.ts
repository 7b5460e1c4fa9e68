import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const client = join(import.meta.dirname, '../../web/dist/client')

/** Bytes of script that a page loads at first, as sent (brotli): its entry and everything it preloads. */
export async function scriptBytes(url: string): Promise<number> {
  const html = await (await fetch(url)).text()
  const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path)
  return [...new Set(files)].reduce((sum, path) => sum + readFileSync(`${join(client, path)}.br`).length, 0)
}
