import { readFile } from 'node:fs/promises'
import { z } from 'zod'

const link = z.url({ protocol: /^https?$/ })

/** `server/content/site.json`: names, partners, award, sample box and market. */
const SiteFile = z.object({
  name: z.string(),
  fullName: z.string(),
  market: z.object({ name: z.string(), timeZone: z.string(), latitude: z.number(), longitude: z.number() }),
  partners: z.array(z.object({ name: z.string(), url: link, kind: z.string() })),
  award: z.object({ text: z.string(), url: link }),
  sampleBox: z.string(),
})
export type SiteFile = z.infer<typeof SiteFile>

export const CONTENT_FOLDER = new URL('../../content/', import.meta.url)

/** Reads the site configuration. @throws when it is invalid, which stops the start */
export async function readSiteFile(): Promise<SiteFile> {
  return SiteFile.parse(JSON.parse(await readFile(new URL('site.json', CONTENT_FOLDER), 'utf8')))
}
