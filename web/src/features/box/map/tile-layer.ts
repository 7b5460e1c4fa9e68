/* What only a map with tiles needs. The attribution adds itself, so this is loaded before such a map is made. */
import 'leaflet/src/control/Control.Attribution.js'
import { TileLayer } from 'leaflet/src/layer/tile/TileLayer.js'

export { TileLayer }
