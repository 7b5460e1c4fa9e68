import type { KitchenAdvice, ProductDetail, ProductView } from '@befaqt/domain/catalogue'
import { cutsOf } from './facets.ts'
import { titleNames, tradeNameOf } from './search/trade-name-of.ts'

/**
 * How seafood is kept and cooked at home, by what the trade calls it. Temperatures: Standard 3.2.2 of the Food Standards
 * Code (potentially hazardous food at 5 °C or below). That heat leaves histamine as it is: FAO and WHO, expert meeting on
 * histamine, 2012.
 */
const kinds: readonly (KitchenAdvice & { names: readonly string[] })[] = [
  {
    names: ['oyster'],
    keep: 'Keep opened oysters flat and covered in the coldest part of the fridge, at 4 °C or below, and eat them the day you buy them.',
    cook: 'Eat them as they are, with lemon. Or put them under a hot grill with a little butter for three minutes. They are done when the edges curl.',
  },
  {
    names: ['mussel', 'pipi', 'vongole', 'cockle'],
    keep: 'They are alive: keep them in a bowl under a damp cloth in the fridge, never in water or a closed bag, and cook them within a day. Throw away what is broken, or stays open when it is tapped.',
    cook: 'Soften garlic in oil in a wide pot and add a glass of white wine. Tip them in, put the lid on and shake the pot now and then. Take them off as they open, which takes three to five minutes.',
  },
  {
    names: ['scallop'],
    keep: 'Keep them covered in the coldest part of the fridge, at 4 °C or below, and eat them within a day.',
    cook: 'Pat them dry and get a pan very hot. Sear them for a minute on each side and no longer. On the half shell, give them two minutes under the grill with butter.',
  },
  {
    names: ['abalone'],
    keep: 'Keep it covered in the coldest part of the fridge, at 4 °C or below, and eat it within a day.',
    cook: 'Slice the foot as thin as you can and beat the slices lightly. Heat butter until it foams. Give them twenty seconds on each side.',
  },
  {
    names: ['prawn'],
    keep: 'Keep raw prawns covered on ice in the fridge, at 4 °C or below, and cook them within two days. Their heads darken with time: that alone says nothing against them.',
    cook: 'Leave the shells on for the barbecue, or peel them for a pan. Cook them hot with oil and salt until they are pink and just curled. That takes about two minutes on each side.',
  },
  {
    names: ['bug', 'rock lobster', 'yabby'],
    keep: 'Keep it in the coldest part of the fridge under a damp cloth, at 4 °C or below, and cook it the day you buy it.',
    cook: 'Halve it lengthways and brush the meat with butter. Grill it with the shell down for most of the time. It is done when the meat is white all through.',
  },
  {
    names: ['crab', 'mud crab', 'blue swimmer crab', 'spanner crab'],
    keep: 'A live crab stays tied, under a damp cloth in the coldest part of the fridge, and is cooked the day you buy it. Of a raw one the same is true.',
    cook: 'Chill a live crab in the freezer until it no longer moves. Boil it in water as salty as the sea, eight minutes for half a kilo. Let it cool before you crack it.',
  },
  {
    names: ['squid', 'calamari', 'cuttlefish'],
    keep: 'Clean it soon, keep it covered at 4 °C or below, and cook it within two days.',
    cook: 'Score the tubes and cut them in strips. Get the pan as hot as it goes and add a few at a time. A minute is enough: after that it toughens until it has stewed for an hour.',
  },
  {
    names: ['octopus'],
    keep: 'Keep it covered at 4 °C or below and cook it within two days. It freezes well, and is the more tender for it.',
    cook: 'Put it in a pot with a lid and no water, on a low flame. After an hour or so a knife goes in easily. Then char it for three minutes on a hot grill.',
  },
  {
    names: [
      'tuna',
      'yellowfin tuna',
      'bigeye tuna',
      'albacore',
      'kingfish',
      'blue mackerel',
      'spanish mackerel',
      'sardine',
      'tailor',
      'trevally',
    ],
    keep: 'Keep it on ice in the fridge, at 4 °C or below, without a break, and eat it within two days. When such fish gets warm it forms histamine, which no cooking takes away.',
    cook: 'Salt it and let it stand for ten minutes. Sear it over high heat, a minute or two on each side, and leave the middle pink if you like it so. Rest it before you slice it.',
  },
  {
    names: ['salmon'],
    keep: 'Keep it covered in the coldest part of the fridge, at 4 °C or below, and eat it within two days.',
    cook: 'Dry the skin and salt it. Lay it skin down in a hot pan and leave it there until the colour has climbed half way up. Turn it, and take the pan off the heat.',
  },
]

/** What is true of every other fish. */
const fish: KitchenAdvice = {
  keep: 'Keep it on ice in the fridge, at 4 °C or below, on a rack so that it doesn’t lie in water, and eat it within two days.',
  cook: 'Dry it well and salt it. Fry it skin down over medium heat until the flesh is white nearly to the top, then turn it once. A whole fish bakes at 200 °C, about ten minutes for each two centimetres of its thickest part.',
}

/** Fish of names that search does not know: it would find them before what is named almost so. */
const otherFish = ['dory']

/** What was cooked before it was sold. */
const cooked: KitchenAdvice = {
  keep: 'It is ready to eat: keep it covered at 4 °C or below, away from raw food, and eat it within two days.',
  cook: 'Serve it cold, with lemon. If you want it warm, give it a minute in a hot pan, since it is cooked already. Warm it once only.',
}

const adviceByName = new Map(
  kinds.flatMap(({ names, keep, cook }) => names.map((name) => [name, { keep, cook }])),
)

/** What is done to seafood after which it is kept and cooked otherwise than fresh. */
const made =
  'smoked frozen thawed dried salted cured pickled marinated crumbed battered tinned canned stock sauce soup bisque pie cake roe pâté dip meat'.split(
    ' ',
  )

/**
 * How a product is kept and cooked. Null where its title names nothing that the trade has a name for, what is made of it, or
 * nothing to eat: that a product declares what of the sea it contains is what tells an oyster from an oyster knife.
 */
export function kitchenAdvice({
  title,
  unit,
  allergens,
}: Pick<ProductView, 'title' | 'unit' | 'allergens'>): KitchenAdvice | null {
  if (allergens.every((one) => one === 'sulphites')) return null
  if (made.some((one) => titleNames(title, one))) return null
  const name = tradeNameOf(title)
  if (cutsOf(title, unit).some(({ value }) => value === 'cooked')) return cooked
  if (name !== null) return adviceByName.get(name) ?? fish
  return otherFish.some((one) => titleNames(title, one)) ? fish : null
}

const details = new WeakMap<ProductView, ProductDetail>()

/** A product as its page shows it. The same for the same object, so that an answer that was made of it is used again. */
export function detailOf(product: ProductView): ProductDetail {
  const made = details.get(product) ?? { ...product, kitchen: kitchenAdvice(product) }
  details.set(product, made)
  return made
}
