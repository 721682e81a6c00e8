package io.asynq.internal.method;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.annotation.DuplicateTaskHandlerException;
import io.asynq.annotation.InvalidTaskHandlerException;
import io.asynq.handler.HandlerSettings;
import io.asynq.handler.TaskHandlerFunction;
import io.asynq.handler.TaskMux;
import io.asynq.handler.TypePattern;

/**
 * Registers all handlers, or none if there are mistakes.
 */
final class HandlerRegistrations {

	private final TaskMux mux;

	private final Map<TypePattern, Registration> byPattern = new LinkedHashMap<>();

	private final List<String> problems = new ArrayList<>();

	private final List<String> duplicates = new ArrayList<>();

	HandlerRegistrations(TaskMux mux) {
		this.mux = mux;
	}

	void add(TypePattern pattern, TaskHandlerFunction handler, HandlerSettings settings, String owner) {
		Registration first = this.byPattern.putIfAbsent(pattern, new Registration(handler, settings, owner));
		if (first != null && !first.owner().equals(owner)) {
			duplicate(pattern, first.owner(), owner);
		}
		else if (first == null && isInMux(pattern.text())) {
			duplicate(pattern, "a handler registered with the TaskMux", owner);
		}
	}

	void problem(String problem) {
		this.problems.add(problem);
	}

	int registerOrThrow() {
		if (!this.problems.isEmpty()) {
			this.problems.addAll(this.duplicates);
			throw new InvalidTaskHandlerException(this.problems);
		}
		if (!this.duplicates.isEmpty()) {
			throw new DuplicateTaskHandlerException(this.duplicates);
		}
		this.byPattern.forEach((pattern, found) -> this.mux.handle(pattern, found.handler(), found.settings()));
		return this.byPattern.size();
	}

	/** Handlers registered by hand are prefixes, so the same text means the same type. */
	private boolean isInMux(String text) {
		return this.mux.patterns().stream().anyMatch((pattern) -> pattern.text().equals(text));
	}

	private void duplicate(TypePattern pattern, String first, String second) {
		this.duplicates.add("Task type '" + pattern + "' has two handlers, " + first + " and " + second
				+ ": keep one of them, or give them different types");
	}

	private record Registration(TaskHandlerFunction handler, HandlerSettings settings, String owner) {
	}

}
