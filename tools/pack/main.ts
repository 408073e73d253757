import { join } from 'node:path';
import { packLibrary } from './pack-library.ts';

// usage: npm run pack:sim-kubernetes: dist/tributary-sim-kubernetes-<version>.tgz, which `npm install` takes as it is.
const root = join(import.meta.dirname, '..', '..');
console.log(await packLibrary('sim-kubernetes', join(root, 'dist')));
