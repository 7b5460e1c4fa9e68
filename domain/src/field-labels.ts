/** Labels of form fields, by their names in the API. */
const labels: Readonly<Record<string, string>> = {
  title: 'title',
  category_id: 'category',
  price: 'price',
  unit: 'unit',
  includeGST: 'GST',
  discount: 'discount',
  stock: 'stock',
  shelfPos: 'shelf position',
  origin: 'origin',
  allergens: 'allergens',
  pieceWeight: 'piece weight',
  orderLimit: 'most in an order',
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
  role: 'role',
  status: 'status',
  passphrase: 'passphrase',
  seal: 'encryption',
  secrets: 'key',
}

/** A message that is a sentence, or says itself what to enter, needs no label. */
const COMPLETE = /^\p{Lu}.*\.$|^enter /su
/** A message that goes on from its label. */
const PREDICATE = /^(must|is|has|may) /

/**
 * The error of one field as text for people. A form field is named by its label, unless the message contains it; any
 * other by its path, for the program that sent it.
 */
export function refusedField(path: string, message: string): string {
  if (path === '' || COMPLETE.test(message)) return message
  const label = labels[path.replace(/\[\d+\]$/, '')]
  if (label === undefined) return `${path}: ${message}`
  if (message.toLowerCase().includes(label.toLowerCase())) return message
  return `${label}${PREDICATE.test(message) ? '' : ':'} ${message}`
}
