package io.asynq.payload;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.ParameterizedTypeReference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of {@link AsynqJsonMapper}: the form of JSON in docs/payloads.md.
 */
class AsynqJsonMapperTests {

	private final PayloadConverter converter = new DefaultPayloadConverter();

	@Test
	void whatIsMissingIsZeroOrNullOrEmpty() {
		assertThat(read("{\"name\":\"x\"}", Everything.class))
			.isEqualTo(new Everything("x", 0, 0, 0, false, '\0', null, null, Optional.empty()));
	}

	@Test
	void nullIsZero() {
		assertThat(read("{\"number\":null,\"flag\":null,\"boxed\":null}", Everything.class))
			.isEqualTo(new Everything(null, 0, 0, 0, false, '\0', null, null, Optional.empty()));
		assertThat(read("null", int.class)).isEqualTo(0);
	}

	@Test
	void unknownFieldsAreIgnored() {
		assertThat(read("{\"x\":1,\"later\":{\"a\":[1]}}", Point.class)).isEqualTo(new Point(1, 0));
	}

	@Test
	void timesAreTextsAndKeepTheirOffset() {
		OffsetDateTime time = OffsetDateTime.parse("2026-01-02T03:04:05.000000006+02:00");
		Times times = new Times(time.toInstant(), time, time.toZonedDateTime());
		assertThat(write(times)).isEqualTo("{\"instant\":\"2026-01-02T01:04:05.000000006Z\","
				+ "\"offset\":\"2026-01-02T03:04:05.000000006+02:00\",\"zoned\":\"2026-01-02T03:04:05.000000006+02:00\"}");
		assertThat(read(write(times), Times.class)).isEqualTo(times);
	}

	@Test
	void instantsAreReadWithAnyOffset() {
		assertThat(read("\"2026-01-02T03:04:05+02:00\"", Instant.class))
			.isEqualTo(Instant.parse("2026-01-02T01:04:05Z"));
	}

	@Test
	void durationsAreTexts() {
		assertThat(write(new Pause(Duration.ofSeconds(90)))).isEqualTo("{\"length\":\"PT1M30S\"}");
		assertThat(read("{\"length\":\"PT1M30S\"}", Pause.class)).isEqualTo(new Pause(Duration.ofSeconds(90)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "90", "90.5" })
	void numberIsNoDuration(String number) {
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> read("{\"length\":" + number + "}", Pause.class))
			.withMessageContaining("$.length, field length of " + Pause.class.getName() + ": no java.time.Duration");
		assertThatExceptionOfType(PayloadConversionException.class).isThrownBy(() -> read(number, Duration.class));
	}

	@Test
	void durationsAreNanosecondsIfAsked() {
		JsonMapper.Builder builder = AsynqJsonMapper.builder();
		AsynqJsonMapper.durationsAsNanoseconds(builder);
		PayloadConverter nanoseconds = new DefaultPayloadConverter(builder.build());
		Pause pause = new Pause(Duration.ofNanos(90_000_000_001L));
		assertThat(nanoseconds.toBytes(pause)).asString().isEqualTo("{\"length\":90000000001}");
		assertThat(nanoseconds.fromBytes(utf8("{\"length\":90000000001}"), Pause.class)).isEqualTo(pause);
		assertThat(nanoseconds.fromBytes(utf8("{\"length\":\"PT1M30.000000001S\"}"), Pause.class)).isEqualTo(pause);
		assertThat(nanoseconds.fromBytes(utf8("[-1,0]"), new ParameterizedTypeReference<List<Duration>>() {
		}.getType())).isEqualTo(List.of(Duration.ofNanos(-1), Duration.ZERO));
	}

	@Test
	void durationsBeyondNanosecondsOfGoAreRefused() {
		JsonMapper.Builder builder = AsynqJsonMapper.builder();
		AsynqJsonMapper.durationsAsNanoseconds(builder);
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> new DefaultPayloadConverter(builder.build()).toBytes(new Pause(Duration.ofDays(365_000))))
			.withMessageContaining("field length of " + Pause.class.getName());
	}

	@Test
	void formatOfFieldComesBeforeThatOfMapper() {
		Formatted formatted = new Formatted(Duration.ofSeconds(90), Duration.ofMillis(1500), Duration.ofSeconds(5));
		String json = "{\"minutes\":1,\"decimal\":1.500000000,\"text\":\"PT5S\"}";
		Formatted read = new Formatted(Duration.ofMinutes(1), Duration.ofMillis(1500), Duration.ofSeconds(5));
		assertThat(write(formatted)).isEqualTo(json);
		assertThat(read(json, Formatted.class)).isEqualTo(read);
	}

	@Test
	void numbersAreDurationsWhereTheyAreWritten() {
		JsonMapper mapper = AsynqJsonMapper.builder().enable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS).build();
		PayloadConverter seconds = new DefaultPayloadConverter(mapper);
		Pause pause = new Pause(Duration.ofMillis(1500));
		assertThat(seconds.fromBytes(seconds.toBytes(pause), Pause.class)).isEqualTo(pause);
	}

	@Test
	void fieldsAreWrittenAsDeclaredAndMapsByKey() {
		Map<String, Integer> unordered = new LinkedHashMap<>();
		unordered.put("b", 2);
		unordered.put("a", 1);
		assertThat(write(new Unordered("x", unordered, 3)))
			.isEqualTo("{\"zulu\":\"x\",\"map\":{\"a\":1,\"b\":2},\"alpha\":3}");
	}

	@Test
	void gettersWithoutFieldsAreWrittenByName() {
		assertThat(write(new Getters()))
			.isEqualTo("{\"yankee\":1,\"bravo\":2,\"alpha\":3,\"kilo\":4,\"mike\":5,\"tango\":6,\"zulu\":7}");
	}

	@Test
	void orderThatAnnotationGivesToGettersIsKept() {
		assertThat(write(new Listed())).isEqualTo("{\"zulu\":1,\"mike\":2,\"alpha\":3}");
	}

	@Test
	void mapWhoseKeysHaveNoOrderIsWrittenByTheirTexts() {
		Map<Point, Integer> map = new LinkedHashMap<>();
		map.put(new Point(2, 0), 2);
		map.put(new Point(1, 0), 1);
		assertThat(write(map)).isEqualTo("{\"Point[x=1, y=0]\":1,\"Point[x=2, y=0]\":2}");
	}

	@Test
	void keysOfSeveralTypesAreWrittenByTheirTexts() {
		Map<Object, Object> inner = new LinkedHashMap<>();
		inner.put(Duration.ofSeconds(1), true);
		inner.put(2, false);
		Map<Object, Object> mixed = new LinkedHashMap<>();
		mixed.put("b", inner);
		mixed.put(10, List.of(inner));
		mixed.put("1", 0);
		mixed.put(1, 1);
		String json = "{\"1\":1,\"1\":0,\"10\":[{\"2\":false,\"PT1S\":true}],\"b\":{\"2\":false,\"PT1S\":true}}";
		assertThat(write(mixed)).isEqualTo(json);
		assertThat(write(new Anything(mixed))).isEqualTo("{\"map\":" + json + "}");
		assertThat(write(new Anything(Map.of(10, "x", 9, "y")))).as("numbers as numbers")
			.isEqualTo("{\"map\":{\"9\":\"y\",\"10\":\"x\"}}");
	}

	@Test
	void annotationsOfMapHoldWhateverItsKeysAre() {
		Map<Object, @Nullable Pause> map = new LinkedHashMap<>();
		map.put("a", new Pause(Duration.ofSeconds(90)));
		map.put(1, new Pause(Duration.ZERO));
		map.put("none", null);
		assertThat(write(new Pauses(map)))
			.isEqualTo("{\"pauses\":{\"1\":{\"length\":\"PT0S\"},\"a\":{\"length\":\"PT1M30S\"}}}");
		assertThat(write(new Pauses(Map.of()))).as("left out").isEqualTo("{}");
	}

	@Test
	void fractionIsNoWholeNumber() {
		assertThatExceptionOfType(PayloadConversionException.class).isThrownBy(() -> read("{\"x\":2.5}", Point.class))
			.withMessageContaining("$.x, field x of " + Point.class.getName());
	}

	@Test
	void bytesAreBase64() {
		assertThat(write(new Photo(new byte[] { 0, -1, 62 }))).isEqualTo("{\"bytes\":\"AP8+\"}");
		assertThat(read("{\"bytes\":\"AP8+\"}", Photo.class).bytes()).isEqualTo(new byte[] { 0, -1, 62 });
	}

	@Test
	void classThatPayloadNamesMustBeRegistered() {
		String json = "{\"@class\":\"" + Named.class.getName() + "\",\"name\":\"x\"}";
		assertThatExceptionOfType(PayloadConversionException.class).isThrownBy(() -> read(json, NamesClasses.class));
	}

	private <T> T read(String json, Class<T> type) {
		return (T) this.converter.fromBytes(utf8(json), type);
	}

	private String write(Object payload) {
		return new String(this.converter.toBytes(payload), StandardCharsets.UTF_8);
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	record Everything(@Nullable String name, int number, long large, double fraction, boolean flag, char letter,
			@Nullable Integer boxed, @Nullable List<String> list, Optional<String> maybe) {
	}

	record Point(int x, int y) {
	}

	record Times(Instant instant, OffsetDateTime offset, ZonedDateTime zoned) {
	}

	record Pause(Duration length) {
	}

	record Formatted(@JsonFormat(pattern = "MINUTES", shape = JsonFormat.Shape.NUMBER_INT) Duration minutes,
			@JsonFormat(shape = JsonFormat.Shape.NUMBER) Duration decimal, Duration text) {
	}

	record Unordered(String zulu, Map<String, Integer> map, int alpha) {
	}

	record Anything(Map<?, ?> map) {
	}

	record Pauses(@JsonInclude(value = JsonInclude.Include.NON_EMPTY,
			content = JsonInclude.Include.NON_NULL) Map<Object, @Nullable Pause> pauses) {
	}

	record Photo(byte[] bytes) {
	}

	static final class Getters {

		private final int yankee = 1;

		private final int bravo = 2;

		// Not written by itself, so it has no place either
		private final transient int mike = 5;

		public int getZulu() {
			return 7;
		}

		public int getTango() {
			return 6;
		}

		public int getMike() {
			return this.mike;
		}

		public int getKilo() {
			return 4;
		}

		public int getAlpha() {
			return 3;
		}

		public int getBravo() {
			return this.bravo;
		}

		public int getYankee() {
			return this.yankee;
		}

	}

	@JsonPropertyOrder("zulu")
	interface Ordered {

		int getAlpha();

		@JsonProperty(index = 1)
		int getMike();

		int getZulu();

	}

	static final class Listed implements Ordered {

		@Override
		public int getAlpha() {
			return 3;
		}

		@Override
		public int getMike() {
			return 2;
		}

		@Override
		public int getZulu() {
			return 1;
		}

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
	interface NamesClasses {

	}

	record Named(String name) implements NamesClasses {
	}

}
