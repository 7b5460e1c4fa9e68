import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ShopApi } from '@befaqt/domain/api/shop-api'

/** The result of web/src/entry-server.tsx. */
type Rendered = {
  status: number
  html: Buffer
  headers: Record<string, string>
  redirect?: string
  error?: unknown
}
export type Renderer = (
  request: { url: string; method: string; headers: Record<string, string> },
  api: ShopApi,
) => Promise<Rendered>

/** Loads the page renderer that Vite built. @throws Error for the operator when the pages are not built */
export async function loadRenderer(webDist: string): Promise<Renderer> {
  const file = resolve(join(webDist, 'server', 'entry-server.js'))
  if (!existsSync(file)) throw new Error(`The pages are not built: ${file} is missing. Run npm run build.`)
  const built: { render: Renderer } = await import(pathToFileURL(file).href)
  return built.render
}
