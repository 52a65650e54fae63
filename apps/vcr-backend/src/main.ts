import { runApp } from '@switchyard/gateway-kit';
import { vcrBackend } from './app.ts';

await runApp(vcrBackend);
