package io.asynq.interop.oracle;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

import tools.jackson.databind.JsonNode;

/**
 * The arguments of one operation.
 *
 * @param node as written in the script
 */
record Arguments(JsonNode node) {

	String text(String name) {
		return this.node.path(name).asString("");
	}

	int number(String name) {
		return this.node.path(name).asInt(0);
	}

	boolean flag(String name) {
		return this.node.path(name).asBoolean(false);
	}

	Duration millis(String name) {
		return Duration.ofMillis(this.node.path(name).asLong(0));
	}

	Map<String, Integer> numbers(String name) {
		Map<String, Integer> numbers = new LinkedHashMap<>();
		this.node.path(name).forEachEntry((key, value) -> numbers.put(key, value.asInt()));
		return numbers;
	}

	Map<String, String> texts(String name) {
		Map<String, String> texts = new LinkedHashMap<>();
		this.node.path(name).forEachEntry((key, value) -> texts.put(key, value.asString()));
		return texts;
	}

	void ifText(String name, Consumer<String> consumer) {
		if (this.node.hasNonNull(name)) {
			consumer.accept(this.node.get(name).asString());
		}
	}

	void ifNumber(String name, Consumer<Integer> consumer) {
		if (this.node.hasNonNull(name)) {
			consumer.accept(this.node.get(name).asInt());
		}
	}

	void ifSeconds(String name, Consumer<Duration> consumer) {
		ifNumber(name, (number) -> consumer.accept(Duration.ofSeconds(number)));
	}

	void ifTime(String name, Consumer<Instant> consumer) {
		ifText(name, (text) -> consumer.accept(Instant.parse(text)));
	}

}
