/** Makes the small pictures of species for the phone pages from those of the sample shop. `node art/make-thumbs.ts` */
import { join } from 'node:path'
import sharp from 'sharp'

const from = join(import.meta.dirname, '../server/sample/images/product')
const to = join(import.meta.dirname, '../web/src/field/species')

/** By slug (domain/src/species.ts): the catches that are landed most. */
const slugs =
  'snapper yellowfin-bream dusky-flathead sand-whiting yellowtail-kingfish mulloway john-dory silver-trevally tailor ' +
  'yellowfin-tuna albacore blue-mackerel australian-sardine eastern-sea-garfish blue-eye-trevalla mirror-dory ' +
  'eastern-king-prawn school-prawn southern-calamari octopus cuttlefish balmain-bug mud-crab blue-swimmer-crab ' +
  'eastern-rock-lobster spanner-crab'

for (const slug of slugs.split(' '))
  await sharp(join(from, `${slug}.webp`))
    .resize(192, 128, { fit: 'cover' })
    .webp({ quality: 60 })
    .toFile(join(to, `${slug}.webp`))
