package io.asynq.schedule;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.asynq.internal.schedule.Schedule;
import io.asynq.internal.schedule.ScheduleParser;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Fire times and rejected specs, compared with tables created by Go's cron library
 * ({@code firetimes.go} of the interop tests, which create them again and compare).
 */
class FireTimesTests {

	@Test
	void firesAtTimesOfGo() throws Exception {
		FireTime[] table = read("fire-times.json", FireTime[].class);
		assertThat(table).hasSizeGreaterThan(300);
		List<String> differences = new ArrayList<>();
		for (FireTime row : table) {
			Instant next = parser(row.location()).parse(row.spec()).next(Instant.ofEpochMilli(row.fromMs()));
			Long seconds = (next != null) ? next.getEpochSecond() : null;
			if (!Objects.equals(seconds, row.next())) {
				differences.add(row + " but here " + next);
			}
		}
		assertThat(differences).isEmpty();
	}

	static Verdict[] verdicts() {
		return read("cron-verdicts.json", Verdict[].class);
	}

	@ParameterizedTest
	@MethodSource("verdicts")
	void acceptsAndRejectsSpecsLikeGo(Verdict verdict) {
		if (verdict.accepted()) {
			assertThatNoException().isThrownBy(() -> parser("UTC").parse(verdict.spec()));
		}
		else {
			assertThatExceptionOfType(IllegalArgumentException.class)
				.isThrownBy(() -> parser("UTC").parse(verdict.spec()));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "Europe/Berlin", "Etc/GMT-2", "UTC", "EST", "MST", "HST", "Local" })
	void separateZoneEqualsZoneInSpec(String zone) throws Exception {
		Instant from = Instant.parse("2024-07-01T10:00:00Z");
		assertThat(parser("Asia/Tokyo").parse("0 3 * * *", zone).next(from)).isNotNull()
			.isEqualTo(parser("Asia/Tokyo").parse("CRON_TZ=" + zone + " 0 3 * * *").next(from));
	}

	@Test
	void skipsDayMissingInZone() throws Exception {
		Schedule schedule = parser("Pacific/Apia").parse("0 0 31 * *");
		assertThat(schedule.next(Instant.parse("2011-12-30T08:00:00Z"))).isEqualTo("2011-12-30T10:00:00Z");
		assertThat(parser("Pacific/Apia").parse("0 0 * * FRI").next(Instant.parse("2011-12-29T10:30:00Z")))
			.isEqualTo("2012-01-05T10:00:00Z");
	}

	@Test
	void everyFiresAtCommonTimesOrFromStartAsInGo() throws Exception {
		Instant now = Instant.parse("2024-05-01T10:00:07.5Z");
		assertThat(new ScheduleParser(ZoneOffset.UTC, true).parse("@every 5m").next(now))
			.isEqualTo("2024-05-01T10:05:00Z");
		assertThat(new ScheduleParser(ZoneOffset.UTC, false).parse("@every 5m").next(now))
			.isEqualTo("2024-05-01T10:05:07Z");
	}

	@Test
	void findsLastFireOfInterval() throws Exception {
		Schedule daily = parser("UTC").parse("0 3 * * *");
		Instant begin = Instant.parse("2024-05-01T02:00:00Z");
		assertThat(daily.last(begin, Instant.parse("2024-05-20T03:00:00Z"))).isEqualTo("2024-05-20T03:00:00Z");
		assertThat(daily.last(begin, Instant.parse("2024-05-20T02:59:59Z"))).isEqualTo("2024-05-19T03:00:00Z");
		assertThat(daily.last(begin, begin.plus(Duration.ofMinutes(59)))).isNull();
		assertThat(daily.last(begin, begin)).isNull();
		assertThat(parser("UTC").parse("@yearly").last(begin, Instant.parse("2026-05-20T02:59:59Z")))
			.isEqualTo("2026-01-01T00:00:00Z");
	}

	private static ScheduleParser parser(String location) {
		return new ScheduleParser(ZoneId.of(location), false);
	}

	private static <T> T read(String file, Class<T> type) {
		try (InputStream in = FireTimesTests.class.getResourceAsStream(file)) {
			return JsonMapper.shared().readValue(in, type);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	record FireTime(String spec, String location, long fromMs, @Nullable Long next) {
	}

	record Verdict(String spec, boolean accepted) {
	}

}
