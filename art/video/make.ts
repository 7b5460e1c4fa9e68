import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { fish } from '../drawings/fish.ts'
import { fishBox } from '../drawings/fish-box.ts'
import { ground } from '../drawings/grounds.ts'
import { place } from '../drawings/place.ts'
import type { Random } from '../drawings/random.ts'
import { lyingOn } from '../drawings/scene.ts'
import { snapper } from '../drawings/species/breams.ts'
import { frame, seconds } from './frame.ts'

const folder = fileURLToPath(new URL('../../web/public/video/', import.meta.url))
const rate = 24

async function still(subject: (random: Random) => string): Promise<string> {
  const bed = await sharp(Buffer.from(ground('ice', 'counter-1')))
    .png()
    .toBuffer()
  const above = await sharp(Buffer.from(lyingOn('ice', 'film', subject)))
    .png()
    .toBuffer()
  const laid = await sharp(bed)
    .composite([{ input: above }])
    .png()
    .toBuffer()
  const cut = await sharp(laid)
    .resize(1280)
    .extract({ left: 0, top: 90, width: 1280, height: 720 })
    .jpeg({ quality: 92 })
    .toBuffer()
  return `data:image/jpeg;base64,${cut.toString('base64')}`
}

/** Starts the encoder for one file; raw frames go to its standard input. */
function encoder(name: string, options: readonly string[]): ReturnType<typeof spawn> {
  const source = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', '1280x720', '-r', String(rate), '-i', '-']
  return spawn('ffmpeg', ['-v', 'error', '-y', ...source, '-an', ...options, `${folder}${name}`], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
}

const stills = {
  box: await still((random) => fishBox(random, false)),
  fish: await still((random) => place(fish(snapper, random), [170, 600], 0.9, -2)),
}

const encoders = [
  encoder('catch-of-the-day.mp4', [
    '-c:v',
    'libx264',
    '-preset',
    'slow',
    '-crf',
    '32',
    '-pix_fmt',
    'yuv420p',
    '-movflags',
    '+faststart',
  ]),
  encoder('catch-of-the-day.webm', [
    '-c:v',
    'libvpx-vp9',
    '-b:v',
    '0',
    '-crf',
    '45',
    '-row-mt',
    '1',
    '-cpu-used',
    '3',
    '-pix_fmt',
    'yuv420p',
  ]),
]

for (let index = 0; index < Math.round(seconds * rate); index++) {
  const pixels = await sharp(Buffer.from(frame(index / rate, stills)))
    .flatten({ background: '#0c171d' })
    .removeAlpha()
    .raw()
    .toBuffer()
  for (const { stdin } of encoders) if (stdin && !stdin.write(pixels)) await once(stdin, 'drain')
}
for (const { stdin } of encoders) stdin?.end()
await Promise.all(encoders.map((one) => once(one, 'close')))

const poster = sharp(Buffer.from(frame(1.6, stills))).flatten({ background: '#0c171d' })
await poster.clone().webp({ quality: 80, effort: 6 }).toFile(`${folder}catch-of-the-day.webp`)
await poster.clone().jpeg({ quality: 82, mozjpeg: true }).toFile(`${folder}catch-of-the-day.jpg`)
