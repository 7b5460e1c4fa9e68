/** One picture to draw: file stem (kebab-case species) and its alternative text, one sentence for a screen reader. */
export type Subject = readonly [slug: string, alt: string]

/** Product pictures, 1500×1000. A second picture of a product carries its slug and `-2`. */
export const productSubjects: readonly Subject[] = [
  ['snapper', 'Whole snapper on crushed ice: pink, steep-headed, with small bright blue spots.'],
  ['snapper-2', 'Two snapper fillets, skin side and flesh side, on an oak board.'],
  [
    'dusky-flathead',
    'Two whole dusky flathead on crushed ice: long brown bodies, flat wedge heads, fan tails with a dark spot.',
  ],
  ['dusky-flathead-2', 'Two slim white dusky flathead fillets on an oak board.'],
  ['mulloway', 'Whole mulloway on crushed ice: silver-bronze, with a row of pearly spots along the side.'],
  ['mulloway-2', 'Two thick mulloway cutlets with pale flesh and the bone in the middle, on an oak board.'],
  [
    'john-dory',
    'Whole John dory on crushed ice: tall olive body, one dark thumbprint on the side, long trailing fin spines.',
  ],
  ['john-dory-2', 'Two golden pan-fried John dory fillets with lemon on an oak board.'],
  ['mirror-dory', 'Whole mirror dory on crushed ice: tall plain body shining like polished silver.'],
  [
    'sand-whiting',
    'Three whole sand whiting on crushed ice: slender, silver and sand-coloured, with yellow fins.',
  ],
  [
    'silver-trevally',
    'Whole silver trevally on crushed ice: deep blue-silver body with a yellow sheen and a forked tail.',
  ],
  ['yellowfin-bream', 'Whole yellowfin bream on crushed ice: deep silver body with yellow lower fins.'],
  ['tailor', 'Whole tailor on crushed ice: long silver body, green back and a strong jaw.'],
  [
    'eastern-sea-garfish',
    'Four eastern sea garfish on crushed ice: needle-thin silver fish with a long red-tipped lower jaw.',
  ],
  [
    'blue-eye-trevalla',
    'Whole blue-eye trevalla on crushed ice: dark slate-blue back and one very large eye.',
  ],
  [
    'leatherjacket',
    'Whole ocean leatherjacket on crushed ice: flat rough-skinned body with one upright spine above the eye.',
  ],
  [
    'atlantic-salmon',
    'Whole Atlantic salmon on crushed ice: silver, blue-grey back with scattered black spots.',
  ],
  ['atlantic-salmon-2', 'Two orange Atlantic salmon portions with fine white lines, on an oak board.'],
  ['blue-mackerel', 'Two whole blue mackerel on crushed ice: blue-green wavy back above a silver belly.'],
  [
    'spanish-mackerel',
    'Whole Spanish mackerel on crushed ice: very long steel-blue body with many narrow bars.',
  ],
  [
    'spanish-mackerel-2',
    'Three round Spanish mackerel cutlets with the bone in the middle, and lemon, on an oak board.',
  ],
  [
    'australian-sardine',
    'Five Australian sardines on crushed ice: small, blue-backed, with a row of dark dots.',
  ],
  [
    'yellowtail-kingfish',
    'Whole yellowtail kingfish on crushed ice: torpedo body, bronze stripe from eye to yellow tail.',
  ],
  ['yellowtail-kingfish-2', 'Pale pink kingfish fillet with a row of sashimi slices, on an oak board.'],
  [
    'yellowfin-tuna',
    'Whole yellowfin tuna on crushed ice: dark blue back, silver side, long yellow sickle fins.',
  ],
  ['yellowfin-tuna-2', 'Three ruby-red yellowfin tuna loin steaks on an oak board.'],
  ['bigeye-tuna', 'Whole bigeye tuna on crushed ice: stout dark-blue body with a large round eye.'],
  ['albacore', 'Whole albacore on crushed ice: small tuna with a side fin as long as a third of its body.'],
  [
    'eastern-king-prawn',
    'Raw eastern king prawns on pale paper: pale and honey-coloured with blue tail tips.',
  ],
  ['eastern-king-prawn-2', 'Peeled raw king prawns with tails left on, on pale paper.'],
  ['school-prawn', 'A heap of small translucent school prawns on pale paper.'],
  ['cooked-king-prawn', 'Cooked king prawns on pale paper: bright orange with paler bands.'],
  [
    'balmain-bug',
    'Two Balmain bugs seen from above on pale paper: broad flat reddish-brown shells and short tails.',
  ],
  ['mud-crab', 'Mud crab seen from above on pale paper: smooth dark green shell and heavy claws.'],
  [
    'blue-swimmer-crab',
    'Blue swimmer crab seen from above on pale paper: blue mottled shell, long claws and paddle legs.',
  ],
  ['blue-swimmer-crab-2', 'Cooked blue swimmer crab, bright orange, with lemon on an oak board.'],
  ['spanner-crab', 'Spanner crab seen from above on pale paper: orange-red shell shaped like a shield.'],
  [
    'eastern-rock-lobster',
    'Eastern rock lobster on pale paper: spiny green-brown shell, long feelers, fan tail.',
  ],
  ['eastern-rock-lobster-2', 'Cooked eastern rock lobster, red all over, with lemon on an oak board.'],
  ['sydney-rock-oyster', 'A dozen opened Sydney rock oysters on a round plate of crushed ice with lemon.'],
  [
    'sydney-rock-oyster-2',
    'One opened Sydney rock oyster seen close: plump cream meat with a dark frill in a deep shell.',
  ],
  ['pacific-oyster', 'Six opened Pacific oysters on crushed ice: large frilled shells and pale meat.'],
  ['blue-mussel', 'A heap of glossy blue-black mussels on an oak board.'],
  ['blue-mussel-2', 'Opened blue mussels showing orange meat, on an oak board.'],
  ['pipi', 'A heap of smooth wedge-shaped pipis in cream, tan and violet on an oak board.'],
  ['vongole', 'A heap of small round ribbed vongole on an oak board.'],
  ['scallop', 'Scallops on the half shell on an oak board: white meat with orange roe on fan-shaped shells.'],
  ['scallop-2', 'Six scallops out of their shells, seared golden brown, on an oak board.'],
  [
    'blacklip-abalone',
    'Blacklip abalone on an oak board: one rough red-brown shell and one showing its pearly inside.',
  ],
  [
    'southern-calamari',
    'Southern calamari on pale paper: pale spotted body with fins along its whole length.',
  ],
  ['southern-calamari-2', 'White calamari rings and a cleaned tube on an oak board.'],
  ['octopus', 'Octopus on pale paper: rosy-brown head and eight curling arms with rows of suckers.'],
  [
    'arrow-squid',
    'Two arrow squid on pale paper: slim red-brown bodies with an arrowhead of fins at the tip.',
  ],
  [
    'cuttlefish',
    'Cuttlefish on pale paper: broad oval body with fine dark stripes and a narrow frill of fin.',
  ],
  ['seafood-platter', 'Round platter of cooked lobster, prawns, crab, oysters and lemon on crushed ice.'],
]

/** Category pictures, 1200×800. */
export const categorySubjects: readonly Subject[] = [
  ['boxes-on-track', 'An iced fish box with a logger on its rim and a dotted route behind it.'],
  ['fish', 'Snapper, whiting and flathead side by side on crushed ice.'],
  ['tuna-and-kingfish', 'Yellowfin tuna and yellowtail kingfish on crushed ice.'],
  ['prawns', 'Raw and cooked prawns side by side on pale paper.'],
  ['crab-and-lobster', 'A rock lobster and a blue swimmer crab on pale paper.'],
  ['oysters', 'Opened oysters with lemon on crushed ice.'],
  ['shellfish', 'Mussels, pipis and scallops on an oak board.'],
  ['squid-and-octopus', 'A calamari and an octopus on pale paper.'],
]

/** Pictures inside sample boxes, 1200×800: catches on deck, and what the electronic eye saw. */
export const boxSubjects: readonly Subject[] = [
  ['catch-snapper', 'Drawing of a snapper on a wet boat deck beside a measuring rule.'],
  ['catch-dusky-flathead', 'Drawing of a dusky flathead on a wet boat deck beside a measuring rule.'],
  [
    'catch-yellowtail-kingfish',
    'Drawing of a yellowtail kingfish on a wet boat deck beside a measuring rule.',
  ],
  ['catch-mulloway', 'Drawing of a mulloway on a wet boat deck beside a measuring rule.'],
  ['catch-yellowfin-tuna', 'Drawing of a yellowfin tuna on a wet boat deck beside a measuring rule.'],
  ['catch-sand-whiting', 'Drawing of a sand whiting on a wet boat deck beside a measuring rule.'],
  ['catch-silver-trevally', 'Drawing of a silver trevally on a wet boat deck beside a measuring rule.'],
  ['catch-john-dory', 'Drawing of a John dory on a wet boat deck beside a measuring rule.'],
  ['catch-blue-mackerel', 'Drawing of a blue mackerel on a wet boat deck beside a measuring rule.'],
  ['eye-snapper', 'Close-up drawing of the eye of a snapper: bulging, black and clear.'],
  ['skin-snapper', 'Close-up drawing of the skin of a snapper: bright, with clear slime.'],
  [
    'eye-yellowtail-kingfish',
    'Close-up drawing of the eye of a yellowtail kingfish: flat and slightly cloudy.',
  ],
  [
    'skin-yellowtail-kingfish',
    'Close-up drawing of the skin of a yellowtail kingfish: less bright, slime a little cloudy.',
  ],
  ['eye-dusky-flathead', 'Close-up drawing of the eye of a dusky flathead: bulging, black and clear.'],
  ['skin-dusky-flathead', 'Close-up drawing of the skin of a dusky flathead: bright, with clear slime.'],
  ['eye-silver-trevally', 'Close-up drawing of the eye of a silver trevally: bulging, black and clear.'],
  ['skin-silver-trevally', 'Close-up drawing of the skin of a silver trevally: bright, with clear slime.'],
  ['eye-blue-mackerel', 'Close-up drawing of the eye of a blue mackerel: sunken and milky.'],
  ['skin-blue-mackerel', 'Close-up drawing of the skin of a blue mackerel: dull, slime cloudy and yellow.'],
  ['eye-yellowfin-tuna', 'Close-up drawing of the eye of a yellowfin tuna: bulging, black and clear.'],
  ['skin-yellowfin-tuna', 'Close-up drawing of the skin of a yellowfin tuna: bright, with clear slime.'],
  ['eye-sand-whiting', 'Close-up drawing of the eye of a sand whiting: bulging, black and clear.'],
  ['skin-sand-whiting', 'Close-up drawing of the skin of a sand whiting: bright, with clear slime.'],
]
