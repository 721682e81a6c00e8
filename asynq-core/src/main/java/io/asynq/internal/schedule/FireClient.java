package io.asynq.internal.schedule;

import java.lang.reflect.Type;
import java.util.Optional;
import java.util.function.Function;

import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.internal.enqueue.DefaultAsynqClient;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.ObservedRequests;
import io.asynq.internal.enqueue.StoredTasks;
import io.asynq.internal.enqueue.TaskEnqueuer;
import io.asynq.internal.enqueue.TaskOutbox;
import io.asynq.internal.event.Observers;
import io.asynq.internal.text.GoText;
import io.asynq.schedule.PeriodicTaskDefinition;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.ResolvableTypeProvider;

/**
 * Gives tasks of the scheduler the same defaults, limits and errors as
 * {@link AsynqClient}, and a request that is sent again the same id of its task.
 */
public final class FireClient {

	private final DefaultAsynqClient client;

	private final StoredTasks stored;

	private final ObservedRequests observed;

	public FireClient(TaskEnqueuer enqueuer, ClientOptions options, Observers observers, @Nullable TaskOutbox outbox) {
		this.client = new DefaultAsynqClient(enqueuer, options, observers, outbox);
		this.stored = new StoredTasks(options.clock(), observers.events());
		this.observed = new ObservedRequests(observers.observations());
	}

	/** {@code null} if there is nothing to enqueue this time. */
	@Nullable Task next(PeriodicTaskDefinition.Source source) throws Exception {
		Object payload = source.payload().call();
		return (payload != null) ? task(source.type(), payload, declared(source)) : null;
	}

	public Task task(String type, @Nullable Object payload, Type declared) {
		return (GoText.isBlank(type) || payload instanceof Task) ? this.client.taskOf(payload, declared)
				: this.client.task(type, payload, declared);
	}

	public EnqueueRequest request(Task task, TaskOptions options) {
		return this.client.request(task, options);
	}

	/**
	 * No interceptor sees the task: nothing is enqueued yet.
	 */
	public String check(Task task, TaskOptions options) {
		return this.client.draft(task, options).message().queue();
	}

	public TaskInfo send(EnqueueRequest request) {
		return this.client.send(request);
	}

	/**
	 * However often {@code sending} stores the request, observers see one enqueueing.
	 */
	public Optional<TaskInfo> fire(EnqueueRequest request, Function<EnqueueRequest, Optional<TaskInfo>> sending) {
		return this.observed.fire(request, sending);
	}

	public TaskInfo store(EnqueueRequest request) {
		return this.client.store(request);
	}

	/** For a request that was stored with the record of its fire. */
	public TaskInfo stored(EnqueueRequest request) {
		return this.stored.stored(request);
	}

	public void ping() {
		this.client.ping();
	}

	private static Type declared(PeriodicTaskDefinition.Source source) {
		ResolvableType declared = (source.payload() instanceof ResolvableTypeProvider method)
				? method.getResolvableType() : null;
		return (declared != null) ? declared.getType() : Object.class;
	}

}
