import { CronPattern } from 'croner';
import type { CloudflareGatewayParametersSpecTunnelTokenRotation } from '../../../imports/cloudflare-gateway-controller.io.ts';
import type { TokenRotation } from '../plane.ts';
import type { FieldProblem } from './fieldproblem.ts';

/** Thursdays in the morning of the people at Cloudflare who would notice. Gateway parameters, `tunnel.token.rotation`. */
const defaultSchedule: TokenRotation = { cron: '0 18 * * 4', timeZone: 'America/Los_Angeles' };

/** When the tunnel's token is replaced; nothing where the schedule is switched off. */
export function tokenRotation(
  rotation: CloudflareGatewayParametersSpecTunnelTokenRotation | undefined,
): TokenRotation | undefined {
  if (rotation?.enabled === false) return undefined;
  const schedule = rotation?.schedule;
  if (schedule === undefined) return defaultSchedule;
  return { cron: schedule.cron, timeZone: schedule.timeZone ?? 'UTC' };
}

/** What no schedule can be read from: a cron expression of five fields and an IANA time zone are asked for. */
export function rotationProblems(
  rotation: CloudflareGatewayParametersSpecTunnelTokenRotation | undefined,
): readonly FieldProblem[] {
  const schedule = rotation?.schedule;
  if (schedule === undefined) return [];
  const path = ['tunnel', 'token', 'rotation', 'schedule'];
  const found: FieldProblem[] = [];
  const cron = cronProblem(schedule.cron);
  if (cron !== undefined)
    found.push({
      path: [...path, 'cron'],
      message: `is "${schedule.cron}", which is no cron expression of five fields (${cron}); write one such as "0 3 * * 1"`,
    });
  if (schedule.timeZone !== undefined && !isTimeZone(schedule.timeZone))
    found.push({
      path: [...path, 'timeZone'],
      message: `is "${schedule.timeZone}", which is no IANA time zone; name one such as Europe/Berlin`,
    });
  return found;
}

/** Only parsed, never asked for a date: that would read the clock, and a rule has none. */
function cronProblem(cron: string): string | undefined {
  if (cron.trim().split(/\s+/).length !== 5) return 'it has another number of fields';
  try {
    return fires(new CronPattern(cron, 'UTC', { mode: '5-part' })) ? undefined : 'no month has such a day';
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'it does not parse';
  }
}

const longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** False for a day that never comes, such as February 30. A day of the week always comes. */
function fires({ starDOW, lastDayOfMonth, lastWeekday, nearestWeekdays, month, day }: CronPattern): boolean {
  if (!starDOW || lastDayOfMonth || lastWeekday) return true;
  return longest.some(
    (days, index) => month[index] === 1 && [day, nearestWeekdays].some((list) => list.slice(0, days).includes(1)),
  );
}

/** Offsets such as +01:00 are no names: they would not follow daylight saving. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
