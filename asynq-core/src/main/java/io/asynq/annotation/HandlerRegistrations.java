package io.asynq.annotation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.handler.AsynqHandler;
import io.asynq.handler.TaskMux;
import io.asynq.handler.TaskSemaphore;
import org.jspecify.annotations.Nullable;

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

	void add(String type, AsynqHandler handler, @Nullable TaskSemaphore limit, String owner) {
		Registration first = this.byType.putIfAbsent(type, new Registration(handler, limit, owner));
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
		this.byType.forEach(this::register);
		return this.byType.size();
	}

	private void register(String type, Registration registration) {
		if (registration.limit() == null) {
			this.mux.handle(type, registration.handler());
		}
		else {
			this.mux.handle(type, registration.handler(), registration.limit());
		}
	}

	private void duplicate(String type, String first, String second) {
		this.duplicates.add("Task type '" + type + "' has two handlers, " + first + " and " + second
				+ ": keep one of them, or give them different types");
	}

	private record Registration(AsynqHandler handler, @Nullable TaskSemaphore limit, String owner) {
	}

}
