/** One field that two states of a thing have differently, as text. */
export type Difference = { field: string; from: string; to: string }

/** What the fields of a box's records are called. Source: spec §3. */
const recordNames: Readonly<Record<string, string>> = {
  boxID: 'Box id',
  traderID: 'Trader id',
  traderName: 'Fisher’s name',
  companyName: 'Company',
  boat: 'Boat',
  address: 'Address',
  time: 'Time',
  latitude: 'Latitude',
  longitude: 'Longitude',
  locationCodeLat: 'Location code, latitude',
  locationCodeLong: 'Location code, longitude',
  method: 'Method',
  img: 'Picture',
  species: 'Species',
  size: 'Size',
  note: 'Note',
  iotID: 'Sensor',
  temperature: 'Temperature',
  operator: 'Operator',
  confidence: 'Confidence',
  iotScore: 'Sensor score',
  imgScore: 'Image score',
  noseScore: 'E-nose score',
  overallResult: 'Overall result',
  resultPerImage: 'Result of each image',
  resultPerTest: 'Result of each test',
  freshnessIndex: 'Warmth index',
  conf_iot: 'Weight of the sensor',
  conf_img: 'Weight of the images',
  conf_enose: 'Weight of the e-nose',
}

/** Fields that every change touches, and pictures, which `imagePaths` stand for. */
const NOT_NEWS = new Set(['_id', 'version', 'updatedAt', 'createdAt', 'images', 'image', 'categoryTitle'])

const names: Readonly<Record<string, string>> = {
  name: 'Name',
  abn: 'ABN',
  text: 'Text',
  url: 'Link',
  partners: 'Partners',
  areas: 'Areas',
  box: 'Box',
  offSale: 'Off sale',
  alsoOffSale: 'Also wanted off sale',
  recalled: 'Recalled',
  fname: 'First name',
  lname: 'Last name',
  email: 'Email',
  phone: 'Phone',
  role: 'Role',
  status: 'Status',
  title: 'Title',
  icon: 'Icon',
  imagePath: 'Image',
  imagePaths: 'Images',
  pictures: 'New pictures',
  imageAlt: 'Alt text',
  imageAlts: 'Alt texts',
  images: 'Images',
  description: 'Description',
  shelfPos: 'Shelf position',
  category_id: 'Category',
  price: 'Price',
  unit: 'Unit',
  includeGST: 'Includes GST',
  discount: 'Discount',
  origin: 'Origin',
  allergens: 'Allergens',
  pieceWeight: 'Piece weight',
  orderLimit: 'Most in an order',
  step: 'Step in kilograms',
  preparations: 'Preparations',
  schedule: 'Schedule',
  stock: 'Stock',
  boxes: 'Boxes',
  products: 'Products',
  reason: 'Reason',
  record: 'Record',
  data: 'What it says',
  fisher: 'Fisher',
  catch: 'Catch',
  revoked: 'Revoked',
  ...recordNames,
}

/** What a field is called on these pages. */
export const fieldName = (field: string): string => names[field] ?? field

/** A value as text: 'nothing' for what is not there, how many of a list of pictures. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueText).join(', ')
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, part]) => `${name} ${valueText(part)}`)
      .join(' ')
  return String(value)
}

/**
 * What changed from one state to the other, in the order of the first.
 * @param textOf text for values that say nothing by themselves: the title of a category id
 */
export function differences(
  before: object,
  after: object,
  textOf: (field: string, value: unknown) => string = (_, value) => valueText(value),
): Difference[] {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((field) => !NOT_NEWS.has(field))
    .filter((field) => JSON.stringify(was.get(field)) !== JSON.stringify(is.get(field)))
    .map((field) => ({ field, from: textOf(field, was.get(field)), to: textOf(field, is.get(field)) }))
}
