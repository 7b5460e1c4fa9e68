/**
 * Writes shore.json, by which a box at sea is told from one on the road: the coastline that the box page draws
 * (Natural Earth, public domain), around Australia. `node art/make-shore.ts`
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

const Coastline = z.object({ scale: z.number(), rings: z.array(z.array(z.number())) })

const drawn = new URL('../web/src/features/box/map/coastline-australia.json', import.meta.url)
const { scale, rings } = Coastline.parse(JSON.parse(readFileSync(drawn, 'utf8')))
writeFileSync(new URL('../server/src/boxes/projection/shore.json', import.meta.url), `${JSON.stringify({ scale, rings })}\n`)
