package io.asynq.scheduler;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneRules;

import org.jspecify.annotations.Nullable;

/**
 * Fires when the clock on the wall of a place shows what a cron spec asks for (asynq M07
 * to M10, M13), also around the moments when that clock is set: there it does what Go's
 * cron library does, fire by fire, see {@code docs/adr/0010-cron-of-our-own.md}.
 *
 * @param minutes minutes of the hour
 * @param hours hours of the day
 * @param days days of the month
 * @param months the months
 * @param weekdays days of the week
 * @param zone the place
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

	/**
	 * A look for the next fire, from the large to the small: a step that carries into the
	 * next larger unit begins again with the largest.
	 */
	private final class Search {

		private final ZoneRules rules = CronSchedule.this.zone.getRules();

		private long second;

		private LocalDateTime local = LocalDateTime.MIN;

		/** Whether all that is smaller than the present step stands at its beginning. */
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
			// Where midnight does not exist, the day begins at one, or was taken for 23 h
			// of
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
		 * Moves to a time on the wall. One that the clock leaves out, or shows twice, is
		 * taken for the instant that Go takes it for: first by the offset that applied at
		 * this time in UTC, then by the one that applies at the instant so found.
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
