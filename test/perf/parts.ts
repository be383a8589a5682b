import { derive } from './derive/derive.ts';
import { http } from './http/http.ts';
import { match } from './match/match.ts';
import type { Part } from './part.ts';
import { reload } from './reload/reload.ts';

/** In the order they run. A new part is one more line. */
export const parts: readonly Part[] = [http, match, reload, derive];
