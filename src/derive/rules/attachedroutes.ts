import { index } from '../engine/declare.ts';
import { attachments } from './attachment.ts';
import { httpRoutes } from './collections.ts';
import { takenHost } from './hostrecord.ts';
import { routeVerdict } from './routeverdict.ts';

/** Accepted HTTPRoutes by the listeners they are attached to, `<namespace>/<gateway>/<listener>`. Spec: ListenerStatus.attachedRoutes. */
export const routesByListener = index('routesByListener', httpRoutes, (key, read) =>
  read(routeVerdict, key).refused === undefined
    ? read(attachments, key).flatMap((attachment) =>
        takenHost(attachment, read) === undefined ? attachment.bindings.map(({ listener }) => listener) : [],
      )
    : [],
);
