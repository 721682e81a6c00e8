package io.asynq.internal.schedule;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.regex.Pattern;

import io.asynq.internal.text.GoDuration;

/**
 * Accepts and rejects the same specs as Go's cron library.
 */
public final class ScheduleParser {

	private static final String EVERY = "@every ";

	private static final Pattern SPACE = Pattern.compile("\\p{IsWhite_Space}+");

	/** Like Go's library, which keeps the space in between. */
	private static final Pattern OUTER_SPACE = Pattern.compile("\\A\\p{IsWhite_Space}+|\\p{IsWhite_Space}+\\z");

	/** Names that Go knows and older JDKs do not. */
	private static final Map<String, ZoneId> OFFSETS = Map.of("EST", ZoneOffset.ofHours(-5), "MST",
			ZoneOffset.ofHours(-7), "HST", ZoneOffset.ofHours(-10));

	private final ZoneId location;

	private final boolean aligned;

	public ScheduleParser(ZoneId location, boolean aligned) {
		this.location = location;
		this.aligned = aligned;
	}

	/** The message of what it throws names the wrong part and says what is allowed. */
	public Schedule parse(String spec) {
		if (!hasZone(spec)) {
			return parse(spec, this.location);
		}
		int end = spec.indexOf(' ');
		String name = spec.substring(spec.indexOf('=') + 1, (end >= 0) ? end : spec.length());
		if (end < 0) {
			throw new IllegalArgumentException("nothing follows the zone '" + name + "'");
		}
		String rest = OUTER_SPACE.matcher(spec.substring(end)).replaceAll("");
		return parse(rest, name.isEmpty() ? ZoneOffset.UTC : zone(name));
	}

	/** The spec must have no zone of its own. */
	public Schedule parse(String spec, String zone) {
		if (hasZone(spec)) {
			throw new IllegalArgumentException(
					"it has two zones, '" + zone + "' and the one in its spec: remove one of them");
		}
		return parse(spec, zone(zone));
	}

	private static boolean hasZone(String spec) {
		return spec.startsWith("TZ=") || spec.startsWith("CRON_TZ=");
	}

	private Schedule parse(String spec, ZoneId zone) {
		if (spec.startsWith(EVERY)) {
			return new Schedule.Every(Math.max(1, GoDuration.parse(spec.substring(EVERY.length())).toSeconds()),
					this.aligned);
		}
		if (spec.startsWith("@")) {
			return named(spec, zone);
		}
		String[] fields = SPACE.split(SPACE.matcher(spec).replaceAll(" ").strip());
		if (fields.length != CronField.values().length || fields[0].isEmpty()) {
			int count = fields[0].isEmpty() ? 0 : fields.length;
			throw new IllegalArgumentException("it has " + count
					+ " fields instead of 5: minute, hour, day of month, month, day of week; or write @daily, @every 5m");
		}
		return new CronSchedule(CronField.MINUTE.parse(fields[0]), CronField.HOUR.parse(fields[1]),
				CronField.DAY.parse(fields[2]), CronField.MONTH.parse(fields[3]), CronField.WEEKDAY.parse(fields[4]),
				zone);
	}

	private static Schedule named(String spec, ZoneId zone) {
		CronField.Values minute = CronField.MINUTE.first();
		CronField.Values hour = CronField.HOUR.first();
		CronField.Values days = CronField.DAY.all();
		CronField.Values months = CronField.MONTH.all();
		CronField.Values weekdays = CronField.WEEKDAY.all();
		return switch (spec) {
			case "@yearly", "@annually" ->
				new CronSchedule(minute, hour, CronField.DAY.first(), CronField.MONTH.first(), weekdays, zone);
			case "@monthly" -> new CronSchedule(minute, hour, CronField.DAY.first(), months, weekdays, zone);
			case "@weekly" -> new CronSchedule(minute, hour, days, months, CronField.WEEKDAY.first(), zone);
			case "@daily", "@midnight" -> new CronSchedule(minute, hour, days, months, weekdays, zone);
			case "@hourly" -> new CronSchedule(minute, CronField.HOUR.all(), days, months, weekdays, zone);
			default -> throw new IllegalArgumentException("'" + spec
					+ "' is not known: there are @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly and @every <duration>");
		};
	}

	private ZoneId zone(String name) {
		if (name.equals("Local")) {
			// In Go's library this is the scheduler's zone, not the computer's
			return this.location;
		}
		if (OFFSETS.containsKey(name)) {
			return OFFSETS.get(name);
		}
		// Unlike Go, ZoneId.of also accepts offsets
		if (!ZoneId.getAvailableZoneIds().contains(name)) {
			throw new IllegalArgumentException("zone '" + name
					+ "' is not known: name one like Europe/Berlin, or Etc/GMT-2 for two hours ahead of UTC,"
					+ " or leave it out for the scheduler's");
		}
		return ZoneId.of(name);
	}

}
