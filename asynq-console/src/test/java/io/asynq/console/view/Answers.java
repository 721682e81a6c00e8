package io.asynq.console.view;

import java.util.ArrayList;
import java.util.List;

import tools.jackson.databind.JsonNode;

/**
 * Reads what screens answer.
 */
final class Answers {

	private Answers() {
	}

	/** The ids of the tasks in a list. */
	static List<String> ids(JsonNode answer) {
		return texts(answer.path("entries"), "id");
	}

	static List<String> texts(JsonNode array) {
		List<String> texts = new ArrayList<>();
		array.forEach((each) -> texts.add(each.asString()));
		return texts;
	}

	/** What a field says in each element. */
	static List<String> texts(JsonNode array, String name) {
		List<String> texts = new ArrayList<>();
		array.forEach((each) -> texts.add(each.path(name).asString()));
		return texts;
	}

}
