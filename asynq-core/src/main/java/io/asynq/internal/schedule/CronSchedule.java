package io.asynq.internal.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneRules;

import org.jspecify.annotations.Nullable;

/**
 * Around changes of daylight saving time it does the same as Go's cron library, fire by
 * fire ({@code docs/adr/0010-cron-of-our-own.md}).
 */
record CronSchedule(CronField.Values minutes, CronField.Values hours, CronField.Values days, CronField.Values months,
		CronField.Values weekdays, ZoneId zone) implements Schedule {

	private static final int YEARS = 5;

	private static final int NOON = 12;

	private static final long MINUTE = 60;

	private static final long HOUR = 3600;

	@Override
	public @Nullable Instant next(Instant after) {
		if (this.months.isEmpty() || this.hours.isEmpty() || this.minutes.isEmpty()) {
			return null;
		}
		return new Search(after.getEpochSecond() + 1).run();
	}

	/** A step that carries over into the next larger unit starts again with months. */
	private final class Search {

		private final ZoneRules rules = CronSchedule.this.zone.getRules();

		private long second;

		private LocalDateTime local = LocalDateTime.MIN;

		/** Whether all smaller units are at their beginning. */
		private boolean moved;

		Search(long from) {
			moveTo(from);
		}

		@Nullable Instant run() {
			int lastYear = this.local.getYear() + YEARS;
			while (this.local.getYear() <= lastYear) {
				if (toMonth() && toDay() && toHour() && toMinute() && toSecond()) {
					return Instant.ofEpochSecond(this.second);
				}
			}
			return null;
		}

		private boolean toMonth() {
			while (!CronSchedule.this.months.has(this.local.getMonthValue())) {
				LocalDateTime first = this.local.withDayOfMonth(1);
				if (this.moved) {
					moveTo(first.plusMonths(1).plusDays(this.local.getDayOfMonth() - 1));
				}
				else {
					this.moved = true;
					moveTo(first.truncatedTo(ChronoUnit.DAYS));
					moveTo(this.local.plusMonths(1));
				}
				if (this.local.getMonthValue() == 1) {
					return false;
				}
			}
			return true;
		}

		private boolean toDay() {
			while (!isDay()) {
				if (!this.moved) {
					this.moved = true;
					moveTo(this.local.truncatedTo(ChronoUnit.DAYS));
				}
				nextDay();
				if (this.local.getDayOfMonth() == 1) {
					return false;
				}
			}
			return true;
		}

		private boolean isDay() {
			boolean day = CronSchedule.this.days.has(this.local.getDayOfMonth());
			boolean weekday = CronSchedule.this.weekdays.has(this.local.getDayOfWeek().getValue() % 7);
			return (CronSchedule.this.days.star() || CronSchedule.this.weekdays.star()) ? day && weekday
					: day || weekday;
		}

		private void nextDay() {
			long before = this.second;
			LocalDateTime from = this.local;
			moveTo(from.plusDays(1));
			if (this.second <= before) {
				// Samoa had no 30 December 2011; Go's library never gets past it
				moveTo(from.plusDays(2));
			}
			// Where there is no midnight, the day begins at one, or the time is 23 h of
			// the day before
			int hour = this.local.getHour();
			if (hour > NOON) {
				moveTo(this.second + (24 - hour) * HOUR);
			}
			else if (hour > 0) {
				moveTo(this.second - hour * HOUR);
			}
		}

		private boolean toHour() {
			while (!CronSchedule.this.hours.has(this.local.getHour())) {
				if (!this.moved) {
					this.moved = true;
					moveTo(this.local.truncatedTo(ChronoUnit.HOURS));
				}
				moveTo(this.second + HOUR);
				if (this.local.getHour() == 0) {
					return false;
				}
			}
			return true;
		}

		private boolean toMinute() {
			while (!CronSchedule.this.minutes.has(this.local.getMinute())) {
				if (!this.moved) {
					this.moved = true;
					this.second = Math.floorDiv(this.second, MINUTE) * MINUTE;
				}
				moveTo(this.second + MINUTE);
				if (this.local.getMinute() == 0) {
					return false;
				}
			}
			return true;
		}

		private boolean toSecond() {
			int second = this.local.getSecond();
			if (second == 0) {
				return true;
			}
			this.moved = true;
			moveTo(this.second + MINUTE - second);
			return false;
		}

		private void moveTo(long second) {
			this.second = second;
			this.local = LocalDateTime.ofEpochSecond(second, 0, offset(second));
		}

		/**
		 * For a time that does not exist, or exists twice, Go takes the offset at this
		 * time in UTC, and then the offset at the instant that results.
		 */
		private void moveTo(LocalDateTime time) {
			long utc = time.toEpochSecond(ZoneOffset.UTC);
			int guess = offset(utc).getTotalSeconds();
			moveTo((guess == 0) ? utc : utc - offset(utc - guess).getTotalSeconds());
		}

		private ZoneOffset offset(long second) {
			return this.rules.getOffset(Instant.ofEpochSecond(second));
		}

	}

}
