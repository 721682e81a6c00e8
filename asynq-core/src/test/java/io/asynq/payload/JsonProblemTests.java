package io.asynq.payload;

import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.ParameterizedTypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What the error of a conversion tells, and what it does not.
 */
class JsonProblemTests {

	private static final String SECRET = "geheim4711";

	private static final String ITEM = Item.class.getName();

	private static final String ORDER = Order.class.getName();

	private final PayloadConverter converter = new DefaultPayloadConverter(AsynqJsonMapper.builder()
		.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
		.build());

	static List<Arguments> unreadable() {
		Type numbers = new ParameterizedTypeReference<Map<String, Integer>>() {
		}.getType();
		return List.of(
				arguments("{'items':[{'price':1},{'price':'geheim4711'}]}", Order.class,
						"$.items[1].price, field price of " + ITEM
								+ ": no java.math.BigDecimal (InvalidFormatException"),
				arguments("{'ITEMS':[{'Price':['geheim4711']}]}", Order.class,
						"$.items[0].price, field price of " + ITEM + ": no java.math.BigDecimal"),
				arguments("{'count':'geheim4711'}", Order.class, "$.count, field count of " + ORDER + ": no int"),
				arguments("{'labels':{'geheim4711':[]}}", Order.class,
						"$.labels.*, field labels of " + ORDER + ": no java.lang.String"),
				arguments("{'geheim4711':'x'}", numbers, "$.*: no java.lang.Integer"),
				arguments("{'geheim4711':1}", Order.class, "$.*: no field of " + ORDER),
				arguments("{'geheim4711':'x'}", Open.class, "$.*: no java.lang.Integer"),
				arguments("'geheim4711'", Order.class, "at $: no " + ORDER),
				arguments("{'text':'geheim4711'}", Strict.class,
						": no " + Strict.class.getName()
								+ " (ValueInstantiationException, java.lang.IllegalStateException)"),
				arguments("{'count':geheim4711}", Order.class, ": not valid JSON, line 1, column "),
				arguments("{'count':1", Order.class, ": not valid JSON, line 1, column "),
				arguments("{'count':1}geheim4711", Order.class, "not valid JSON"),
				arguments("{'child':".repeat(30) + "'geheim4711'" + "}".repeat(30), Nested.class,
						"at $…" + ".child".repeat(20) + ", field child of " + Nested.class.getName()));
	}

	@ParameterizedTest
	@MethodSource("unreadable")
	void namesPathFieldAndTypeButNothingOfThePayload(String json, Type target, String expected) {
		byte[] payload = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
		PayloadConversionException error = catchThrowableOfType(PayloadConversionException.class,
				() -> this.converter.fromBytes(payload, target));
		assertThat(error)
			.hasMessageStartingWith(
					"A payload of " + payload.length + " bytes cannot be read as " + target.getTypeName() + " at $")
			.hasMessageContaining(expected)
			.hasNoCause();
		assertThat(error.getMessage()).doesNotContain(SECRET);
	}

	@Test
	void namesPathFieldAndKindOfWhatCannotBeWritten() {
		Map<String, Object> labels = new HashMap<>(Map.of(SECRET, new Unwritable()));
		PayloadConversionException error = catchThrowableOfType(PayloadConversionException.class,
				() -> this.converter.toBytes(new Labelled(labels)));
		assertThat(error).hasMessageStartingWith("An object of " + Labelled.class.getName()
				+ " cannot be written as a payload at $.labels.*.name, field name of " + Unwritable.class.getName());
		assertThat(error.getMessage()).contains("java.lang.IllegalStateException").doesNotContain(SECRET);
	}

	record Order(int count, List<Item> items, Map<String, String> labels) {
	}

	record Item(BigDecimal price) {
	}

	record Nested(Nested child) {
	}

	record Labelled(Map<String, Object> labels) {
	}

	record Strict(String text) {

		Strict {
			throw new IllegalStateException(text);
		}

	}

	static final class Open {

		@JsonAnySetter
		public Map<String, Integer> rest = new HashMap<>();

	}

	public static final class Unwritable {

		public String getName() {
			throw new IllegalStateException(SECRET);
		}

	}

}
