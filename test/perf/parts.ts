import { http } from './http/http.ts';

import type { Part } from './part.ts';

/** In the order they run. A new part is one more line. */
export const parts: readonly Part[] = [http];
