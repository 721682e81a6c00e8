package io.asynq.payload;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.AbstractSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.ParameterizedTypeReference;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.RawValue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests of {@link AsynqJsonMapper}: the form of JSON in docs/payloads.md.
 */
class AsynqJsonMapperTests {

	private static final JsonMapper JSON = JsonMapper.shared();

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
	void keysAreWrittenInTheOrderOfTheirBytesAsInGo() {
		Map<Object, Object> inner = new LinkedHashMap<>();
		inner.put(Duration.ofSeconds(1), true);
		inner.put(2, false);
		Map<Object, Object> mixed = new LinkedHashMap<>();
		mixed.put("b", inner);
		mixed.put(10, List.of(inner));
		mixed.put("1", 0);
		mixed.put(9, 1);
		String json = "{\"1\":0,\"10\":[{\"2\":false,\"PT1S\":true}],\"9\":1,\"b\":{\"2\":false,\"PT1S\":true}}";
		assertThat(write(mixed)).isEqualTo(json);
		assertThat(write(new Anything(mixed))).isEqualTo("{\"map\":" + json + "}");
		assertThat(write(Map.of("\uD83E\uDD8A", 1, "\uFF5E", 2, "\"", 3, "A", 4, "é", 5))).as("as UTF-8, not escaped")
			.isEqualTo("{\"\\\"\":3,\"A\":4,\"é\":5,\"\uFF5E\":2,\"\uD83E\uDD8A\":1}");
		assertThat(write(new TreeMap<>(Map.of(10, "x", 9, "y")))).as("equal to a HashMap")
			.isEqualTo("{\"10\":\"x\",\"9\":\"y\"}");
	}

	static Stream<Arguments> equal() {
		List<Object> values = List.of("pen", "book", "ink", "cup", "map", "jar", "Zoo");
		List<Point> points = List.of(new Point(10, 1), new Point(9, 1), new Point(9, 0), new Point(2, 7));
		return Stream.of(arguments(new HashSet<>(values), backwards(values)),
				arguments(Set.copyOf(values), backwards(values)),
				arguments(ConcurrentHashMap.newKeySet(), new HashSet<>()),
				arguments(new CopyOnWriteArraySet<>(values), backwards(values)),
				arguments(new HashSet<>(points), backwards(points)),
				arguments(EnumSet.allOf(TimeUnit.class), backwards(List.of(TimeUnit.values()))),
				arguments(new Anything(new HashMap<>(Map.of("a", Set.copyOf(points)))),
						new Anything(Map.of("a", backwards(points)))),
				arguments(List.of(Set.of(Set.of("a", "b"), Set.of("c"))),
						List.of(backwards(List.of(Set.of("c"), backwards(List.of("a", "b")))))),
				arguments(Optional.of(Set.copyOf(values)), Optional.of(backwards(values))),
				arguments(new HashMap<>(Map.of("a", 1, "b", 2)).keySet(), backwards(List.of("a", "b"))),
				arguments(new Open("x", new HashMap<>(Map.of("b", 1, "a", Set.of(1, 2)))),
						new Open("x", new LinkedHashMap<>(new TreeMap<>(Map.of("b", 1, "a", Set.of(2, 1)))))),
				arguments(JSON.readTree("{\"b\":1,\"a\":{\"d\":[2,1],\"c\":0}}"),
						JSON.readTree("{\"a\":{\"c\":0,\"d\":[2,1]},\"b\":1}")),
				arguments(new Anything(Map.of("tree", JSON.readTree("{\"b\":1,\"a\":2}"))),
						new Anything(Map.of("tree", JSON.readTree("{\"a\":2,\"b\":1}")))));
	}

	/**
	 * Returns an equal set that nothing orders and that iterates the other way round.
	 */
	private static <T> Set<T> backwards(List<T> values) {
		List<T> reversed = new ArrayList<>(values);
		Collections.reverse(reversed);
		return new AbstractSet<>() {

			@Override
			public Iterator<T> iterator() {
				return reversed.iterator();
			}

			@Override
			public int size() {
				return reversed.size();
			}

		};
	}

	@ParameterizedTest
	@MethodSource("equal")
	void equalPayloadsAreEqualBytes(Object one, Object other) {
		assertThat(write(one)).isEqualTo(write(other));
	}

	@Test
	void setsAreWrittenInTheOrderOfTheirBytes() {
		assertThat(write(Set.of("b", "a", "Z", "é"))).isEqualTo("[\"Z\",\"a\",\"b\",\"é\"]");
		assertThat(write(Set.of(10, 9, 1))).isEqualTo("[1,10,9]");
		assertThat(write(Set.of(new Point(2, 0), new Point(1, 5)))).isEqualTo("[{\"x\":1,\"y\":5},{\"x\":2,\"y\":0}]");
		assertThat(write(Set.of(List.of(), Map.of(), "x"))).isEqualTo("[\"x\",[],{}]");
	}

	static Stream<Arguments> ordered() {
		List<String> values = List.of("b", "c", "a");
		SortedSet<String> descending = new TreeSet<>(Comparator.reverseOrder());
		descending.addAll(values);
		return Stream.of(arguments(values, "[\"b\",\"c\",\"a\"]"),
				arguments(new LinkedHashSet<>(values), "[\"b\",\"c\",\"a\"]"),
				arguments(descending, "[\"c\",\"b\",\"a\"]"),
				arguments(new ConcurrentSkipListSet<>(values), "[\"a\",\"b\",\"c\"]"),
				arguments(new ArrayDeque<>(values), "[\"b\",\"c\",\"a\"]"),
				arguments(values.toArray(), "[\"b\",\"c\",\"a\"]"), arguments(new int[] { 2, 3, 1 }, "[2,3,1]"),
				arguments(JSON.readTree("[\"b\",\"a\"]"), "[\"b\",\"a\"]"),
				arguments(new Unordered("x", Map.of(), 1), "{\"zulu\":\"x\",\"map\":{},\"alpha\":1}"),
				arguments(new RawValue("{ \"b\":1, \"a\":1.10 }"), "{ \"b\":1, \"a\":1.10 }"),
				arguments(new Raw("{\"b\" : [2,1],\"a\":1E2}"), "{\"json\":{\"b\" : [2,1],\"a\":1E2}}"),
				arguments(Set.of(new Raw("{\"b\" : 1}")), "[{\"json\":{\"b\" : 1}}]"),
				arguments("{\"b\":1,\"a\":2}", "{\"b\":1,\"a\":2}"));
	}

	@ParameterizedTest
	@MethodSource("ordered")
	void whatHasAnOrderKeepsIt(Object payload, String json) {
		assertThat(write(payload)).isEqualTo(json);
	}

	@Test
	void nestingIsBoundedInMapsAndSets() {
		Map<String, Object> loop = new HashMap<>();
		loop.put("self", Set.of(List.of(0), 1));
		Map<String, Object> deep = loop;
		for (int i = 0; i < 2_000; i++) {
			deep = new HashMap<>(Map.of("k", List.of(deep)));
		}
		Map<String, Object> tooDeep = deep;
		assertThatExceptionOfType(PayloadConversionException.class).isThrownBy(() -> write(tooDeep));
		assertThat(write(loop)).isEqualTo("{\"self\":[1,[0]]}");
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

	record Raw(@JsonRawValue String json) {
	}

	record Open(String name, @JsonAnyGetter Map<String, Object> others) {
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
