package io.asynq.spring.boot.test;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.payload.PayloadConverter;
import org.assertj.core.api.AssertProvider;

/**
 * The tasks that were enqueued since the test method began, by the client, by periodic
 * tasks or by aggregators, in the order in which they were stored. One that waits for a
 * transaction appears when that has committed; one that was refused does not. AssertJ's
 * {@code assertThat(tasks)} offers {@link EnqueuedTasksAssert its own assertions}. Safe
 * for concurrent use.
 */
public final class EnqueuedTasks implements AssertProvider<EnqueuedTasksAssert> {

	private final Clock clock;

	private final Supplier<PayloadConverter> converter;

	private final List<EnqueuedTask> tasks = new CopyOnWriteArrayList<>();

	EnqueuedTasks(Clock clock, Supplier<PayloadConverter> converter) {
		this.clock = clock;
		this.converter = converter;
	}

	/** Returns all tasks. */
	public List<EnqueuedTask> all() {
		return List.copyOf(this.tasks);
	}

	/** Returns the tasks of a type. */
	public List<EnqueuedTask> ofType(String type) {
		return this.tasks.stream().filter((task) -> task.info().type().equals(type)).toList();
	}

	/** Called by AssertJ. */
	@Override
	public EnqueuedTasksAssert assertThat() {
		return new EnqueuedTasksAssert(this);
	}

	@Override
	public String toString() {
		return this.tasks.toString();
	}

	void add(List<EnqueueRequest> stored) {
		Instant now = this.clock.instant();
		stored.forEach((request) -> this.tasks.add(EnqueuedTask.of(request, now, this.converter.get())));
	}

	void clear() {
		this.tasks.clear();
	}

}
