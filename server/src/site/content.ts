import { readdir, readFile } from 'node:fs/promises'
import type { ContentPage } from '@befaqt/domain/api/site-api'
import { marked } from 'marked'
import { CONTENT_FOLDER } from './site.ts'

/** All pages of `server/content/**.md`, by slug ('about/project'). Read once at start. The Markdown is trusted, HTML too. */
export async function readContent(): Promise<ReadonlyMap<string, ContentPage>> {
  const names = (await readdir(CONTENT_FOLDER, { recursive: true })).filter((name) => name.endsWith('.md'))
  const pages = await Promise.all(
    names.map(async (name) => pageOf(name, await readFile(new URL(name, CONTENT_FOLDER), 'utf8'))),
  )
  return new Map(pages.map((page) => [page.slug, page]))
}

const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/

function pageOf(name: string, text: string): ContentPage {
  const [, head = '', body = ''] = FRONT_MATTER.exec(text) ?? []
  const fields = new Map(
    head.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    }),
  )
  const title = fields.get('title')
  if (title === undefined) throw new Error(`content/${name} has no title in its front matter`)
  const html = marked.parse(body, { async: false })
  return { slug: name.replace(/\.md$/, ''), title, description: fields.get('description') ?? '', html }
}
