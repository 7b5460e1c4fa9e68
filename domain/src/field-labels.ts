/** What pages call the fields that people fill in, by their names in the API. */
const labels: Readonly<Record<string, string>> = {
  title: 'title',
  category_id: 'category',
  price: 'price',
  unit: 'unit',
  includeGST: 'GST',
  discount: 'discount',
  stock: 'stock',
  shelfPos: 'shelf position',
  description: 'description',
  icon: 'icon',
  imageAlt: 'picture',
  imageAlts: 'picture',
  imagePaths: 'image',
  productImages: 'image',
  catImage: 'image',
  fname: 'first name',
  lname: 'last name',
  email: 'email',
  phone: 'phone',
  password: 'password',
  currentPassword: 'password',
  confirmPassword: 'password',
  twoFaToken: 'code',
  boxID: 'box id',
}

/** A whole sentence says by itself what it is about. */
const SENTENCE = /^\p{Lu}.*\.$/su

/**
 * One refused field in words for people. A field that pages show goes by its label, unless the message says it
 * already; any other by its path, which is for the machine that sent it.
 */
export function refusedField(path: string, message: string): string {
  if (path === '' || SENTENCE.test(message)) return message
  const label = labels[path.replace(/\[\d+\]$/, '')]
  if (label === undefined) return `${path}: ${message}`
  return message.toLowerCase().includes(label.toLowerCase()) ? message : `${label}: ${message}`
}
