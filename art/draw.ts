import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { boxPictures } from './drawings/box-pictures.ts'
import { type Ground, ground, groundKinds } from './drawings/grounds.ts'
import type { Pictures } from './drawings/pictures.ts'
import { lyingOn } from './drawings/scene.ts'
import { categoryPictures, productPictures } from './drawings/sets.ts'
import { boxSubjects, categorySubjects, productSubjects, type Subject } from './subjects.ts'

const images = fileURLToPath(new URL('../server/sample/images/', import.meta.url))
const asked = new Set(process.argv.slice(2))
const grounds = new Map<string, Promise<Buffer>>()

/** Every drawing is 1500×1000 units; `width` pixels come out. */
const raster = (svg: string, width: number): Promise<Buffer> =>
  sharp(Buffer.from(svg), { density: (72 * width) / 1500 })
    .png({ compressionLevel: 2 })
    .toBuffer()

/** Three of each kind take turns, so that neighbours on a shelf don't look copied. */
function groundFor(kind: Ground, slug: string, width: number): Promise<Buffer> {
  const seed = `counter-${[...slug].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 3}`
  const name = `${kind} ${seed} ${width}`
  const made = grounds.get(name) ?? raster(ground(kind, seed), width)
  grounds.set(name, made)
  return made
}

async function layOut(slug: string, drawings: Record<Ground, Pictures>, width: number): Promise<Buffer> {
  for (const kind of groundKinds) {
    const drawing = drawings[kind][slug]
    if (drawing === undefined) continue
    const subject = await raster(lyingOn(kind, slug, drawing), width)
    return sharp(await groundFor(kind, slug, width))
      .composite([{ input: subject }])
      .png({ compressionLevel: 2 })
      .toBuffer()
  }
  throw new Error(`Nothing draws ${slug}.`)
}

function inBox(slug: string, width: number): Promise<Buffer> {
  const drawing = boxPictures[slug]
  if (!drawing) throw new Error(`Nothing draws ${slug}.`)
  return raster(drawing(), width)
}

type Shelf = {
  folder: string
  width: number
  subjects: readonly Subject[]
  draw: (slug: string) => Promise<Buffer>
}

const sets: readonly Shelf[] = [
  {
    folder: 'product',
    width: 1500,
    subjects: productSubjects,
    draw: (slug) => layOut(slug, productPictures, 1500),
  },
  {
    folder: 'category',
    width: 1200,
    subjects: categorySubjects,
    draw: (slug) => layOut(slug, categoryPictures, 1200),
  },
  { folder: 'box', width: 1200, subjects: boxSubjects, draw: (slug) => inBox(slug, 1200) },
]

for (const { folder, subjects, draw } of sets) {
  await mkdir(`${images}${folder}`, { recursive: true })
  for (const [slug] of subjects) {
    if (asked.size > 0 && !asked.has(slug)) continue
    await sharp(await draw(slug))
      .webp({ quality: 74, effort: 6 })
      .toFile(`${images}${folder}/${slug}.webp`)
  }
}

const manifest = sets.flatMap(({ folder, width, subjects }) =>
  subjects.map(([slug, alt]) => ({
    path: `${folder}/${slug}.webp`,
    slug,
    alt,
    width,
    height: (width * 2) / 3,
  })),
)
await writeFile(`${images}manifest.json`, `${JSON.stringify(manifest, null, 2)}\n`)
