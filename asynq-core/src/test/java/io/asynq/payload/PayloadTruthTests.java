package io.asynq.payload;

import java.io.ByteArrayInputStream;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.google.protobuf.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.ParameterizedTypeReference;
import reactor.core.publisher.Flux;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.module.SimpleModule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What is read is what was written, or writing is refused.
 */
class PayloadTruthTests {

	private final PayloadConverter converter = new DefaultPayloadConverter();

	@ParameterizedTest
	@EnumSource
	void constantsAreWrittenByNameWhateverTheirTexts(Swapped constant) {
		Constants all = new Constants(constant, List.of(constant), Map.of(constant, 1),
				new EnumMap<>(Map.of(constant, 2)), Optional.of(constant));
		assertThat(write(all)).contains("\"value\":\"" + constant.name() + "\"", "{\"" + constant.name() + "\":1}");
		assertThat(pass(all, Constants.class)).isEqualTo(all);
		assertThat(pass(Map.of("any", Set.of(constant)), new ParameterizedTypeReference<Map<String, Set<Swapped>>>() {
		})).isEqualTo(Map.of("any", Set.of(constant)));
		assertThat(pass(Map.of(constant, constant), new ParameterizedTypeReference<Map<Swapped, Swapped>>() {
		})).isEqualTo(Map.of(constant, constant));
		assertThat(pass(constant, Swapped.class)).isEqualTo(constant);
	}

	@Test
	void constantsKeepTheNamesThatAnnotationsGiveThem() {
		Map<Renamed, Renamed> map = Map.of(Renamed.OLD, Renamed.OLD);
		assertThat(write(map)).isEqualTo("{\"new\":\"new\"}");
		assertThat(pass(map, new ParameterizedTypeReference<Map<Renamed, Renamed>>() {
		})).isEqualTo(map);
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "1", "\"1\"" })
	void numberIsNoConstant(String json) {
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> this.converter.fromBytes(utf8(json), Swapped.class));
	}

	static Stream<Arguments> unwritable() {
		Runnable lambda = () -> {
		};
		return Stream.of(arguments(new Refund("o-1", 500), Refund.class),
				arguments(new Annotated("x"), Annotated.class), arguments(new Object(), Object.class),
				arguments(lambda, lambda.getClass()), arguments(Stream.of(1), null), arguments(IntStream.of(1), null),
				arguments(List.of(1).iterator(), null), arguments(BitSet.valueOf(new byte[] { 5 }), BitSet.class),
				arguments(CompletableFuture.completedFuture(1), CompletableFuture.class),
				arguments(new ByteArrayInputStream(new byte[1]), ByteArrayInputStream.class),
				arguments(Thread.currentThread(), null), arguments(Flux.just(1), null),
				arguments(JsonMapper.shared(), JsonMapper.class));
	}

	@ParameterizedTest
	@MethodSource("unwritable")
	void whatCannotBeSeenIsRefusedWithItsClassWhereverItIs(Object value, @Nullable Class<?> named) {
		String name = (named != null) ? named.getName() : value.getClass().getName();
		for (Object payload : List.of(value, List.of(value), Map.of("key", value), new Object[] { value },
				new Box<>(value), Optional.of(value))) {
			assertThatExceptionOfType(PayloadConversionException.class)
				.isThrownBy(() -> this.converter.toBytes(payload))
				.withMessageContaining(name);
		}
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> this.converter.toBytes(new Box<>(value)))
			.withMessageContaining("$.value, field value of " + Box.class.getName() + ": " + name);
	}

	@ParameterizedTest
	@MethodSource("foreign")
	void jsonTypeOfAnotherLibraryIsRefusedByClassAndProperty(Object tree) {
		assertThatExceptionOfType(PayloadConversionException.class).isThrownBy(() -> this.converter.toBytes(tree))
			.withMessageContaining(tree.getClass().getName() + " is a JSON type of another library")
			.withMessageContaining("tools.jackson.databind.JsonNode");
		for (Object payload : List.of(new Box<>(tree), new Box<>(List.of(tree)), new Box<>(Map.of("secret", tree)))) {
			assertThatExceptionOfType(PayloadConversionException.class)
				.isThrownBy(() -> this.converter.toBytes(payload))
				.withMessageContaining("field value of " + Box.class.getName() + ": " + tree.getClass().getName())
				.withMessageNotContaining("secret");
		}
	}

	static Stream<Object> foreign() {
		return Stream.of(new ObjectNode(), new JsonArray(), new JsonPrimitive(), new JSONObject(), new JSONArray(),
				new JsString());
	}

	@Test
	void jsonTypeOfAnotherLibraryIsWrittenByItsOwnSerializer() {
		SimpleModule module = new SimpleModule().addSerializer(JSONObject.class, new ValueSerializer<>() {
			@Override
			public void serialize(JSONObject value, JsonGenerator json, SerializationContext context) {
				json.writeRawValue("{\"b\":1,\"a\":1.10}");
			}
		});
		PayloadConverter own = new DefaultPayloadConverter(AsynqJsonMapper.builder().addModule(module).build());
		assertThat(own.toBytes(new Box<>(new JSONObject()))).asString().isEqualTo("{\"value\":{\"b\":1,\"a\":1.10}}");
	}

	static Stream<Object> writable() {
		return Stream.of(new Nothing(), new Stop(), new Typeless(), new Box<>(null), new IllegalStateException("x"),
				List.of(new Nothing()), Map.of("a", new Stop()), new JsonOrder("x"), new Plain("a"));
	}

	@ParameterizedTest
	@MethodSource("writable")
	void whatLosesNothingIsWritten(Object payload) {
		assertThat(this.converter.toBytes(payload)).asString().matches("[{\\[].*");
	}

	@ParameterizedTest
	@ValueSource(strings = { "12345678901234567.89", "1.10", "1E400", "-0.10", "0.1234567890123456789012345678901",
			"123456789012345678901234567890", "1E-400", "100.00", "2.0" })
	void numbersInTreesKeepTheirDigits(String number) {
		String json = "{\"total\":" + number + ",\"all\":[" + number + ",{\"deep\":" + number + "}]}";
		BigDecimal exact = new BigDecimal(number);
		tools.jackson.databind.JsonNode tree = read(json, tools.jackson.databind.JsonNode.class);
		assertThat(tree.path("all").path(1).path("deep").decimalValue()).isEqualTo(exact);
		assertThat(write(tree)).contains("{\"deep\":" + exact + "}", "\"total\":" + exact);
		for (Type type : List.of(Object.class, tools.jackson.databind.JsonNode.class,
				new ParameterizedTypeReference<Map<String, Object>>() {
				}.getType())) {
			String again = write(this.converter.fromBytes(utf8(json), type));
			assertThat(again).as("%s", type)
				.contains("\"total\":" + exact + "}", "[" + exact + ",{\"deep\":" + exact + "}]");
		}
		Trees trees = read("{\"node\":" + json + ",\"map\":" + json + ",\"any\":" + number + ",\"number\":" + number
				+ ",\"list\":[" + number + "]}", Trees.class);
		assertThat(write(trees)).contains("\"any\":" + exact, "\"number\":" + exact, "\"list\":[" + exact + "]");
		assertThat(trees.any()).hasToString(exact.toString());
	}

	static Stream<Arguments> typed() {
		Mail mail = new Mail("ada");
		Wait wait = new Wait(3);
		Signal signal = Signal.STOP;
		return Stream.of(arguments(List.of(mail, wait), new ParameterizedTypeReference<List<Step>>() {
		}), arguments(new ArrayList<>(Arrays.asList(mail, null, signal)), new ParameterizedTypeReference<List<Step>>() {
		}), arguments(Set.of(mail), new ParameterizedTypeReference<Set<Step>>() {
		}), arguments(Map.of("a", mail, "b", wait), new ParameterizedTypeReference<Map<String, Step>>() {
		}), arguments(Map.of("a", List.of(mail)), new ParameterizedTypeReference<Map<String, List<Step>>>() {
		}), arguments(Optional.of(mail), new ParameterizedTypeReference<Optional<Step>>() {
		}), arguments(Optional.of(List.of(mail)), new ParameterizedTypeReference<Optional<List<Step>>>() {
		}), arguments(new Box<>(mail), new ParameterizedTypeReference<Box<Step>>() {
		}), arguments(new Page<>(List.of(wait, mail), Optional.of(mail), Map.of("x", mail)),
				new ParameterizedTypeReference<Page<Step>>() {
				}), arguments(Map.entry("a", mail), new ParameterizedTypeReference<Map.Entry<String, Step>>() {
				}), arguments(List.of(new Box<>(wait)), new ParameterizedTypeReference<List<Box<Step>>>() {
				}), arguments(List.of(new Wrapped(1), new Wrapped(2)), new ParameterizedTypeReference<List<Wrapper>>() {
				}), arguments(List.of(new Registered("r")), new ParameterizedTypeReference<List<Open>>() {
				}), arguments(mail, new ParameterizedTypeReference<Step>() {
				}), arguments(new Plan(mail, List.of(wait)), new ParameterizedTypeReference<Plan>() {
				}));
	}

	@ParameterizedTest
	@MethodSource("typed")
	void typeIdsAreWrittenWithoutTheDeclaredType(Object payload, ParameterizedTypeReference<?> declared) {
		assertThat(pass(payload, declared)).isEqualTo(payload);
	}

	@Test
	void typeIdsAreWrittenInArraysAndReferences() {
		assertThat(pass(new Object[] { new Mail("ada") }, Step[].class)).isEqualTo(new Step[] { new Mail("ada") });
		assertThat(
				pass(new AtomicReference<>(new Mail("ada")), new ParameterizedTypeReference<AtomicReference<Step>>() {
				}).get())
			.isEqualTo(new Mail("ada"));
	}

	@Test
	void typeIdsAreWrittenAsTheDeclaredTypeWouldHaveThem() {
		Plan plan = new Plan(new Mail("ada"), List.of(new Mail("bob"), new Wait(1)));
		String steps = write(new Box<>(plan.steps()));
		assertThat(write(plan)).contains(steps.substring("{\"value\":".length(), steps.length() - 1));
		assertThat(write(new Untyped(new Mail("ada")))).isEqualTo("{\"step\":{\"to\":\"ada\"}}");
	}

	static Stream<Arguments> optional() {
		Duration message = Duration.newBuilder().setSeconds(5).build();
		return Stream.of(arguments("text", "text".getBytes(), new ParameterizedTypeReference<Optional<String>>() {
		}), arguments("\"quoted\"", "\"quoted\"".getBytes(), new ParameterizedTypeReference<Optional<String>>() {
		}), arguments(message, message.toByteArray(), new ParameterizedTypeReference<Optional<Duration>>() {
		}), arguments(new Mail("a"), "{\"by\":\"mail\",\"to\":\"a\"}".getBytes(),
				new ParameterizedTypeReference<Optional<Step>>() {
				}), arguments(7L, "7".getBytes(), new ParameterizedTypeReference<Optional<Long>>() {
				}));
	}

	@ParameterizedTest
	@MethodSource("optional")
	void optionalIsWhatItWouldBeWithoutIt(Object value, byte[] bytes, ParameterizedTypeReference<?> type) {
		assertThat(this.converter.fromBytes(bytes, type.getType())).isEqualTo(Optional.of(value));
		assertThat(this.converter.toBytes(Optional.of(value))).isEqualTo(bytes);
		assertThat(this.converter.fromBytes(null, type.getType())).isEqualTo(Optional.empty());
		assertThat(this.converter.fromBytes(new byte[0], type.getType())).isEqualTo(Optional.empty());
	}

	@Test
	void optionalBytesAreTheBytes() {
		byte[] bytes = { 0, (byte) 0xff };
		Optional<?> read = (Optional<?>) this.converter.fromBytes(bytes,
				new ParameterizedTypeReference<Optional<byte[]>>() {
				}.getType());
		assertThat(read.get()).isSameAs(bytes);
		assertThat(this.converter.toBytes(Optional.of(bytes))).isSameAs(bytes);
		assertThat(this.converter.toBytes(Optional.empty())).isNull();
	}

	@Test
	void keysThatAreOneTextAreRefused() {
		Map<Object, Object> map = new HashMap<>();
		map.put(1, "number");
		map.put("1", "text");
		assertThatExceptionOfType(PayloadConversionException.class).isThrownBy(() -> write(new Box<>(map)))
			.withMessageContaining("field value of " + Box.class.getName())
			.withMessageContaining("two keys");
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> write(Map.of(new SameText(1), 1, new SameText(2), 2)))
			.withMessageContaining("two keys");
	}

	@Test
	void valueThatItsSerializerForgetsIsRefused() {
		SimpleModule module = new SimpleModule().addSerializer(Wait.class, new ValueSerializer<>() {
			@Override
			public void serialize(Wait value, JsonGenerator json, SerializationContext context) {
			}

			@Override
			public void serializeWithType(Wait value, JsonGenerator json, SerializationContext context,
					TypeSerializer ids) {
			}
		});
		PayloadConverter own = new DefaultPayloadConverter(AsynqJsonMapper.builder().addModule(module).build());
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> own.toBytes(Map.of("a", new Wait(1), "b", new Mail("ada"))));
	}

	private <T> T pass(Object payload, Class<T> type) {
		return read(write(payload), type);
	}

	@SuppressWarnings("unchecked")
	private <T> T pass(Object payload, ParameterizedTypeReference<T> type) {
		return (T) this.converter.fromBytes(this.converter.toBytes(payload), type.getType());
	}

	private <T> T read(String json, Class<T> type) {
		return type.cast(this.converter.fromBytes(utf8(json), type));
	}

	private String write(Object payload) {
		return new String(this.converter.toBytes(payload), StandardCharsets.UTF_8);
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/** Two constants with each other's name as their text, and two with one text. */
	enum Swapped {

		A("B"), B("A"), C("same"), D("same");

		private final String text;

		Swapped(String text) {
			this.text = text;
		}

		@Override
		public String toString() {
			return this.text;
		}

	}

	enum Renamed {

		@JsonProperty("new")
		OLD

	}

	record Constants(Swapped value, List<Swapped> list, Map<Swapped, Integer> keys, EnumMap<Swapped, Integer> enumMap,
			Optional<Swapped> maybe) {
	}

	/** Has neither getters nor components. */
	static final class Refund {

		private final String order;

		private final int cents;

		Refund(String order, int cents) {
			this.order = order;
			this.cents = cents;
		}

		@Override
		public String toString() {
			return this.order + this.cents;
		}

	}

	/** What Jackson takes for described, because it has an annotation. */
	@JsonIgnoreProperties(ignoreUnknown = true)
	static final class Annotated {

		private final String text;

		Annotated(String text) {
			this.text = text;
		}

		@Override
		public String toString() {
			return this.text;
		}

	}

	record Nothing() {
	}

	@JsonTypeName("stop")
	static final class Stop {

	}

	/** Has nothing that is not meant to be left out. */
	@JsonIgnoreProperties(ignoreUnknown = true)
	static final class Typeless {

		private final transient String cache = "x";

		@JsonIgnore
		private final String kept = "y";

		@Override
		public String toString() {
			return this.cache + this.kept;
		}

	}

	/** Not called as a JSON type is. */
	record JsonOrder(String id) {
	}

	static class Plain {

		public final String field;

		Plain(String field) {
			this.field = field;
		}

	}

	/** As Jackson 2 has it: a sequence of its values, without their names. */
	abstract static class JsonNode implements Iterable<JsonNode> {

		public boolean isArray() {
			return false;
		}

		@Override
		public Iterator<JsonNode> iterator() {
			return Collections.emptyIterator();
		}

	}

	/** Its own name tells nothing. */
	static final class ObjectNode extends JsonNode {

	}

	/** As Gson has it. */
	abstract static class JsonElement {

		public String getAsString() {
			throw new UnsupportedOperationException();
		}

	}

	static final class JsonArray extends JsonElement {

	}

	static final class JsonPrimitive extends JsonElement {

	}

	/** As org.json has it. */
	static final class JSONObject {

		public boolean isEmpty() {
			return false;
		}

	}

	static final class JSONArray implements Iterable<Object> {

		@Override
		public Iterator<Object> iterator() {
			return List.<Object>of(1).iterator();
		}

	}

	/** As Play has it. */
	interface JsValue {

	}

	static final class JsString implements JsValue {

		public String getValue() {
			return "x";
		}

	}

	record Box<T>(@Nullable T value) {
	}

	record Page<T>(List<T> items, Optional<T> first, Map<String, T> byName) {
	}

	record Trees(tools.jackson.databind.JsonNode node, Map<String, Object> map, Object any, Number number,
			List<Object> list) {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "by")
	sealed interface Step permits Mail, Wait, Signal {

	}

	@JsonTypeName("mail")
	record Mail(String to) implements Step {
	}

	@JsonTypeName("wait")
	record Wait(int days) implements Step {
	}

	@JsonTypeName("signal")
	enum Signal implements Step {

		STOP

	}

	record Plan(Step first, List<Step> steps) {
	}

	record Untyped(@JsonTypeInfo(use = JsonTypeInfo.Id.NONE) Mail step) {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_OBJECT)
	@JsonSubTypes(@JsonSubTypes.Type(value = Wrapped.class, name = "wrapped"))
	interface Wrapper {

	}

	record Wrapped(int x) implements Wrapper {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
	@JsonSubTypes(@JsonSubTypes.Type(Registered.class))
	interface Open {

	}

	record Registered(String name) implements Open {
	}

	record SameText(int x) {

		@Override
		public String toString() {
			return "same";
		}

	}

}
