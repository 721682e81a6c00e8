package io.asynq.annotation;

import java.util.List;
import java.util.function.Supplier;

import io.asynq.broker.Broker;
import io.asynq.handler.TaskSemaphore;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how many tasks a handler works on at the same time, over all servers.
 *
 * @param broker keeps the tokens
 */
record HandlerLimits(Supplier<Broker> broker) {

	/**
	 * Returns the limit of a handler.
	 * @param types what it works on
	 * @param maxConcurrent how many tasks at the same time, 0 for any number
	 * @return the limit, {@code null} for none
	 */
	@Nullable TaskSemaphore of(List<String> types, int maxConcurrent) {
		if (maxConcurrent == 0 || types.isEmpty()) {
			return null;
		}
		String scope = "handler:" + String.join(",", types.stream().sorted().toList());
		return new TaskSemaphore(this.broker.get(), scope, maxConcurrent);
	}

}
