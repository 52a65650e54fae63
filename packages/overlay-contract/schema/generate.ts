// Writes the published JSON Schema beside this file: pnpm --filter @switchyard/overlay-contract generate:schema
import { writeFileSync } from 'node:fs';
import { overlayJsonSchema } from './json-schema.ts';

const file = new URL('overlay-v1.schema.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(overlayJsonSchema(), null, 2)}\n`);
