package io.asynq.annotation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.handler.AsynqHandler;
import io.asynq.handler.TaskMux;

/**
 * Handlers found so far, and the mistakes among them. Used by one thread, once.
 */
final class HandlerRegistrations {

	private final TaskMux mux;

	private final Map<String, Registration> byType = new LinkedHashMap<>();

	private final List<String> problems = new ArrayList<>();

	private final List<String> duplicates = new ArrayList<>();

	HandlerRegistrations(TaskMux mux) {
		this.mux = mux;
	}

	void add(String type, AsynqHandler handler, String owner) {
		Registration first = this.byType.putIfAbsent(type, new Registration(handler, owner));
		if (first != null && !first.owner().equals(owner)) {
			duplicate(type, first.owner(), owner);
		}
		else if (first == null && this.mux.patterns().contains(type)) {
			duplicate(type, "a handler registered with the TaskMux", owner);
		}
	}

	void problem(String problem) {
		this.problems.add(problem);
	}

	/**
	 * Registers all handlers, or none.
	 * @return how many
	 * @throws InvalidTaskHandlerException if there were mistakes
	 */
	int registerOrThrow() {
		if (!this.problems.isEmpty()) {
			this.problems.addAll(this.duplicates);
			throw new InvalidTaskHandlerException(this.problems);
		}
		if (!this.duplicates.isEmpty()) {
			throw new DuplicateTaskHandlerException(this.duplicates);
		}
		this.byType.forEach((type, registration) -> this.mux.handle(type, registration.handler()));
		return this.byType.size();
	}

	private void duplicate(String type, String first, String second) {
		this.duplicates.add("Task type '" + type + "' has two handlers, " + first + " and " + second
				+ ": keep one of them, or give them different types");
	}

	private record Registration(AsynqHandler handler, String owner) {
	}

}
