import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { house, markFile, wordmark, wordmarkFile } from './drawings/brand.ts'
import { fish } from './drawings/fish.ts'
import { ground } from './drawings/grounds.ts'
import { place } from './drawings/place.ts'
import { lyingOn } from './drawings/scene.ts'
import { snapper } from './drawings/species/breams.ts'

const folder = fileURLToPath(new URL('../web/public/', import.meta.url))

const png = (svg: string, size: number, name: string): Promise<unknown> =>
  sharp(Buffer.from(svg), { density: 300 })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true, quality: 95 })
    .toFile(`${folder}${name}`)

await writeFile(`${folder}logo.svg`, wordmarkFile(house.teal, house.foam))
await writeFile(`${folder}logo-dark.svg`, wordmarkFile(house.foam))
await writeFile(`${folder}favicon.svg`, markFile())
await png(markFile(), 192, 'icon-192.png')
await png(markFile(), 512, 'icon-512.png')
await png(markFile(0.24, false), 512, 'icon-maskable-512.png')
await png(markFile(0.08, false), 180, 'apple-touch-icon.png')

/** The picture that stands for the whole shop when a page is shared. */
async function socialPicture(): Promise<void> {
  const bed = await sharp(Buffer.from(ground('ice', 'counter-1')))
    .png()
    .toBuffer()
  const subject = lyingOn('ice', 'og', (random) => place(fish(snapper, random), [330, 590], 0.84, -2))
  const laid = await sharp(bed)
    .composite([{ input: await sharp(Buffer.from(subject)).png().toBuffer() }])
    .png()
    .toBuffer()
  const name = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630"><defs><linearGradient id="veil" x2="0" y2="1"><stop stop-color="#0c171d" stop-opacity=".92"/><stop offset=".3" stop-color="#0c171d" stop-opacity="0"/></linearGradient></defs><rect width="1200" height="630" fill="url(#veil)"/><g transform="translate(56 38) scale(.86)">${wordmark(house.foam)}</g></svg>`
  const cut = await sharp(laid)
    .resize(1200, 800)
    .extract({ left: 0, top: 44, width: 1200, height: 630 })
    .png()
    .toBuffer()
  await sharp(cut)
    .composite([{ input: Buffer.from(name) }])
    .png({ palette: true, quality: 90, compressionLevel: 9, effort: 9 })
    .toFile(`${folder}og-default.png`)
}

await socialPicture()
const size = (await readFile(`${folder}og-default.png`)).length
console.log(`og-default.png ${Math.round(size / 1024)} KB`)
